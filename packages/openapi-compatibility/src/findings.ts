import { isSame, type Both, type Node } from "./document.ts";

/** Where something is compared. */
export interface Place {
  /** The operation and the part of it, or another part of the document. */
  where: string;
  /** The last component that was entered on the way. */
  component?: string;
  /** The way from there: `.name`. */
  path?: string;
}

export interface Finding extends Place {
  what: string;
}

/** What is compared, and who is told. */
export interface Comparison {
  documents: Both<Node>;
  report: (finding: Finding) => void;
}

/** One line for each change. A component that is met in many places has changed once. */
export function toLines(findings: readonly Finding[]): string[] {
  const changes = Map.groupBy(findings, ({ where, component, path, what }) =>
    JSON.stringify([component ?? { where }, path, what]),
  );
  return [...changes.values()].flatMap((met) => {
    const [first, ...others] = [...new Set(met.map(({ where }) => where))];
    const { component = "", path = "", what = "" } = met[0] ?? {};
    const where = others.length === 0 ? first : `${first}, and ${others.length} more`;
    return [where, (component + path).trim(), what].filter((part) => part !== "").join(": ");
  });
}

/** The place of something that the same component may stand for in both documents. */
export function enter<Here extends Place>(place: Here, { released, current }: Both<Node>): Here {
  const { $ref: reference } = released;
  if (typeof reference !== "string" || reference !== current["$ref"]) return place;
  return { ...place, component: reference.replace(/^.*\//, ""), path: "" };
}

/** What says nothing about requests and responses: text, and what reference pages show. */
const documentation =
  "$comment $ref description example examples externalDocs summary title x-codeSamples x-scalar-stability".split(" ");

/** Reports whatever differs, is no documentation, and is not in `compared`: nobody can tell what it does to a program. */
export function compareOthers(
  { documents, report }: Comparison,
  place: Place,
  nodes: Both<Node>,
  compared: readonly string[],
): void {
  for (const name of Object.keys({ ...nodes.released, ...nodes.current })) {
    if (documentation.includes(name) || compared.includes(name)) continue;
    if (!isSame(documents, nodes, name)) report({ ...place, what: difference(nodes, name) });
  }
}

/** How a member has changed, in words. */
export function difference({ released, current }: Both<Node>, name: string): string {
  return `${name} was ${text(released[name])}, is ${text(current[name])}`;
}

function text(value: unknown): string {
  return value === undefined ? "absent" : JSON.stringify(value);
}
