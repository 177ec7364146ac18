import { readFileSync, writeFileSync } from "node:fs";
import { operations, pathTemplate, type Operation } from "../src/index.ts";

const repository = new URL("../../../", import.meta.url);

/** The two cells of an operation's row. */
type ToRow = (name: string, operation: Operation) => readonly [string, string];

/** The pages with a table of the operations. */
const tables: Readonly<Record<string, { heading: string; toRow: ToRow }>> = {
  "README.md": {
    heading: "Operation",
    toRow: (name, { method, path, ...operation }) => [
      `${method} ${pathTemplate(path)}`,
      `\`${name}\`: ${describe(operation)}`,
    ],
  },
  "packages/client/README.md": {
    heading: "Call",
    toRow: (name, operation) => [toCall(name, operation), `${operation.summary}.${outlookOf(operation)}`],
  },
};

function describe({ description, deprecation }: Omit<Operation, "method" | "path">): string {
  const removal = deprecation ? ` It will be removed on ${deprecation.sunset.slice(0, 10)}.` : "";
  return description + removal;
}

/** Whether an operation is deprecated or experimental, as Markdown. */
function outlookOf({ stability, deprecation }: Operation): string {
  const section = "(#deprecations-and-experimental-operations)";
  if (deprecation) return ` [Deprecated]${section}: removed on ${deprecation.sunset.slice(0, 10)}.`;
  return stability === "experimental" ? ` [Experimental]${section}.` : "";
}

/** The call of an operation's client method. */
function toCall(name: string, { stability, params, query, body }: Operation): string {
  const named = Object.keys({ ...query?.fields, ...body?.fields }).join(", ");
  const given = named === "" ? Object.keys(params?.fields ?? {}).join(", ") : `{ ${named} }`;
  return `${stability === "experimental" ? "experimental." : ""}${name}(${given})`;
}

/** The pages with their tables regenerated from the contract. */
export function pagesWithOperations(): [page: URL, before: string, after: string][] {
  return Object.entries(tables).map(([file, { heading, toRow }]) => {
    const rows = Object.entries(operations).map(([name, operation]) => {
      const [cell, text] = toRow(name, operation);
      return `| \`${cell}\` | ${text} |`;
    });
    const table = [`| ${heading} | What it does |`, "| --- | --- |", ...rows].join("\n");
    const page = new URL(file, repository);
    const before = readFileSync(page, "utf8");
    const pattern = /(?<=<!-- operations -->\n).*(?=<!-- \/operations -->)/s;
    return [page, before, before.replace(pattern, () => `\n${table}\n\n`)];
  });
}

if (import.meta.main) for (const [page, , after] of pagesWithOperations()) writeFileSync(page, after);
