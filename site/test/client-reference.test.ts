import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { read, root, textOf } from "./site.ts";

/** The entry points, and their pages. */
const pageOf = {
  index: "reference/client/index",
  int64: "reference/client/int64",
  testing: "reference/client/testing",
};

type EntryPoint = keyof typeof pageOf;

const entryPoints = Object.keys(pageOf) as EntryPoint[];

const sectionsOf = Object.fromEntries(
  entryPoints.map((name) => [name, sections(read(`${pageOf[name]}.html`))]),
);

test.each(
  entryPoints.flatMap((entryPoint) =>
    exportsOf(entryPoint).map((name) => [entryPoint, name] as const),
  ),
)("the reference of %s describes its export %s", (entryPoint, name) => {
  // An overload has its own heading above its description.
  const section = sectionsOf[entryPoint]?.get(name)?.replace(/<h4 [^>]*>Call Signature/, "");
  expect(section?.split("<h4 ")[0]).toMatch(/<p>(?!<em>Not exported)\S.{8,}/);
});

test.each(["client", "options", "pet", "testing", "testing-faults"])(
  "every default of %s.ts is shown",
  (file) => {
    const defaults = [...sourceOf(file).matchAll(/@default (.+?)(?: \*\/)?$/gm)].map(
      ([, text = ""]) => text,
    );
    expect(defaults).not.toEqual([]);
    const shown = entryPoints.map((name) => textOf(read(`${pageOf[name]}.html`))).join("\n");
    expect(
      defaults.filter((text) => !shown.includes(`Default: ${text.replaceAll("`", "")}\n`)),
    ).toEqual([]);
  },
);

test.each(["client", "page-list", "testing"])(
  "every error that %s.ts names is shown, with its class",
  (file) => {
    const publicPart = sourceOf(file).split(/^(?:async )?function/m)[0] ?? "";
    const errors = [...publicPart.matchAll(/@throws \{(\w+)\} (\S+ \S+)/g)].map(
      ([, name, text]) => `${name} ${text}`,
    );
    expect(errors).not.toEqual([]);
    const shown = entryPoints.map((name) => textOf(read(`${pageOf[name]}.html`))).join("\n");
    expect(errors.filter((text) => !shown.includes(text.replaceAll("`", "")))).toEqual([]);
  },
);

test.each([
  "RequestEvent",
  "ResponseEvent",
  "RetryEvent",
  "DeprecationEvent",
  "EndEvent",
  "EventOrigin",
])("the reference shows %s, a part of PetstoreEvent, with its members", (name) => {
  const declared =
    new RegExp(`interface ${name} \\{([^]*?)^\\}`, "m").exec(sourceOf("events"))?.[1] ?? "";
  const members = [...declared.matchAll(/^ {2}(\w+):/gm)].map(([, member = ""]) => member);
  expect(members.length).toBeGreaterThan(1);
  expect(membersOf(sectionsOf["index"]?.get(name) ?? "")).toEqual(members);
});

test.each(["status", "code", "headers", "requestId", "retries", "retryAfterMs"])(
  "ApiError has its %s",
  (member) => {
    expect(membersOf(sectionsOf["index"]?.get("ApiError") ?? "")).toContain(member);
  },
);

test.each(entryPoints)(
  "the reference of %s has no tag of a comment as text, and nothing internal",
  (entryPoint) => {
    const text = textOf(read(`${pageOf[entryPoint]}.html`));
    expect(
      text.match(
        /\{@\w+|@(?:link|throws|default|param|returns|example|deprecated|internal)\b|\bbrand\b/g,
      ),
    ).toBeNull();
  },
);

test("the client's page leads to its reference where the file leads to the source", () => {
  expect(readFileSync(join(root, "packages/client/README.md"), "utf8")).toContain(
    "](src/index.ts)",
  );
  expect(read("client/index.html")).toMatch(/<a href="\/reference\/client\/"[^>]*>in the types</);
});

function sourceOf(file: string): string {
  return readFileSync(join(root, `packages/client/src/${file}.ts`), "utf8");
}

/** The names that an entry point exports, values and types. */
function exportsOf(entryPoint: EntryPoint): string[] {
  const { statements } = ts.createSourceFile(
    "source.ts",
    sourceOf(entryPoint),
    ts.ScriptTarget.Latest,
  );
  return statements.flatMap((statement) => {
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    )
      return statement.exportClause.elements.map((element) => element.name.text);
    const isDeclaration =
      ts.isInterfaceDeclaration(statement) || ts.isFunctionDeclaration(statement);
    return isDeclaration &&
      statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      ? [statement.name?.text ?? ""]
      : [];
  });
}

/** The part of a page below each heading of the third level. */
function sections(html: string): Map<string, string> {
  const parts = html.split(/(?=<h[23] )/).filter((part) => part.startsWith("<h3 "));
  return new Map(parts.map((part) => [headings(part, 3)[0] ?? "", part]));
}

/** The members of an interface or a class, which are rows of a table, without `?`. */
function membersOf(html: string): string[] {
  return [
    ...html.matchAll(/<tr>\s*<td[^>]*>(?:<a id="property[^>]*><\/a>)\s*<code[^>]*>(\w+)/g),
  ].map(([, name = ""]) => name);
}

/** The headings of a level, without marks such as `?` and `()`. */
function headings(html: string, level: number): string[] {
  return [
    ...html.matchAll(new RegExp(`<h${level} [^>]*>([^]*?)<a class="header-anchor"`, "g")),
  ].map(([, text = ""]) =>
    textOf(text)
      .trim()
      .replace(/[?()]+$/, ""),
  );
}
