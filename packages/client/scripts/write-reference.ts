import { execFileSync } from "node:child_process";
import { mkdtempDisposableSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeGenerated } from "../../../scripts/generated.ts";

/**
 * Writes the API reference from the declarations that the compiler generates. They contain exactly what users of the package see, in a
 * fixed layout: a declaration starts and ends in the first column.
 */
const referencePage = new URL("../docs/reference.md", import.meta.url);

const entryPoints = { "@petstore/client": "index.d.ts", "@petstore/client/testing": "testing.d.ts" };

interface Declaration {
  name: string;
  comment: string;
  code: string;
}

/** The declarations by name. An interface and a class may share a name. */
type Declarations = Map<string, Declaration[]>;

/** The text of the page. */
function referenceText(): string {
  using output = mkdtempDisposableSync(join(tmpdir(), "petstore-reference-"));
  const packages = fileURLToPath(new URL("../..", import.meta.url));
  const flags = "-p tsconfig.declarations.json --noEmit false --noCheck --declaration --emitDeclarationOnly";
  const command = [...flags.split(" "), "--rootDir", ".", "--outDir", output.path];
  execFileSync(join(packages, "client/node_modules/.bin/tsc"), command, { cwd: packages, stdio: "inherit" });

  const directory = join(output.path, "client/src");
  const declarations: Declarations = new Map();
  // The client comes first, so that its names take precedence over those of the contract.
  for (const source of [directory, join(output.path, "contract/src")]) {
    for (const file of readdirSync(source)) {
      const found = Map.groupBy(readDeclarations(readFileSync(join(source, file), "utf8")), ({ name }) => name);
      for (const [name, parts] of found) if (!declarations.has(name)) declarations.set(name, parts);
    }
  }
  const exported = new Set<string>();
  const sections = Object.entries(entryPoints).map(([title, file]) => {
    const names = exportedNames(readFileSync(join(directory, file), "utf8")).filter((name) => !exported.has(name));
    for (const name of names) exported.add(name);
    return { title, names };
  });
  const introduction =
    "All exports, with their declarations and comments. Generated from the source by `pnpm generate`.";
  const parts = sections.flatMap(({ title, names }) => [
    `## ${title}`,
    names.map((name) => link(name)).join(" · "),
    ...names.map((name) => describe(name, declarations, exported)),
  ]);
  return `${["# API reference", introduction, ...parts].join("\n\n")}\n`;
}

/** The names that an entry point exports, in order. */
function exportedNames(text: string): string[] {
  const pattern = /^export (?:(?:type )?\{([^}]*)\}|(?:declare )?(?:class|const|function|interface|type) (\w+))/gm;
  const exports = [...text.matchAll(pattern)];
  return exports.flatMap(([, list, name]) => name ?? list?.replaceAll("type ", "").match(/\w+/g) ?? []);
}

function readDeclarations(text: string): Declaration[] {
  const comment = /(?<comment>\/\*\*(?:(?!\*\/).)*\*\/\n)?/.source;
  const block = /(?:class|interface) (?<block>\w+).*?^\}$/.source;
  const statement = /(?:const|function|type) (?<statement>\w+)(?:[^\n]*|.*?^\S[^\n]*);$/.source;
  const pattern = new RegExp(`${comment}^(?:export )?(?:declare )?(?<code>${block}|${statement})`, "gms");
  return [...text.matchAll(pattern)].map(({ groups = {} }) => ({
    name: groups["block"] ?? groups["statement"] ?? "",
    comment: groups["comment"] ?? "",
    code: groups["code"] ?? "",
  }));
}

/** The section of an export: its comment, then its declaration and the unexported declarations that it uses. */
function describe(name: string, declarations: Declarations, exported: ReadonlySet<string>): string {
  const parts = declarations.get(name) ?? [];
  const used = new Set(parts.flatMap(({ code }) => code.match(/\b[A-Z]\w+|(?<=typeof )\w+/g) ?? []));
  const hidden = [...used].filter((other) => !exported.has(other)).flatMap((other) => declarations.get(other) ?? []);
  const code = [...parts.map((part) => part.code), ...hidden.map((part) => part.comment + part.code)]
    .join("\n\n")
    .replaceAll(/^(?: {4})+/gm, (spaces) => " ".repeat(spaces.length / 2))
    .replaceAll(/\{@link ([\w.]+)\}/g, "`$1`");
  return `### ${name}\n\n${parts.map(({ comment }) => prose(comment)).join("")}\`\`\`ts\n${code}\n\`\`\``;
}

/** A comment as Markdown: the text, then a paragraph for each tag. */
function prose(comment: string): string {
  const text = comment.replaceAll(/^\/\*\*|\*\/$|^ \*(?:\/| |$)/gm, "").trim();
  const paragraphs = text.split(/^@/m).map((part, index) => (index === 0 ? part : tag(part)).trim());
  const markdown = paragraphs.join("\n\n").trim();
  return (
    text &&
    `${markdown.replaceAll(/\{@link (\w+)([\w.]*)\}/g, (_, name: string, rest: string) => link(name, rest))}\n\n`
  );
}

/** A tag, without its `@`, as Markdown. */
function tag(part: string): string {
  const [, name = "", text = ""] = /^(\w+)\s*(.*)$/s.exec(part) ?? [];
  if (name === "example") return `\`\`\`ts\n${text.trim()}\n\`\`\``;
  const sentence = text.replace(/^\{(\w+)\}/, (_, error: string) =>
    error in globalThis ? `\`${error}\`` : link(error),
  );
  return `**${name[0]?.toUpperCase()}${name.slice(1)}** ${sentence}`;
}

function link(name: string, member = ""): string {
  return `[\`${name}${member}\`](#${name.toLowerCase()})`;
}

writeGenerated(referencePage, referenceText());
