import { isSame, type Versions, type Node } from "./document.ts";

/** A place in the document. */
export interface Place {
  /** The operation and its part, or another part of the document. */
  where: string;
  /** The innermost component on the path to this place. */
  component?: string;
  /** The path from that component: `.name`. */
  path?: string;
}

export interface Finding extends Place {
  change: string;
}

/** The compared documents, and a function that collects the findings. */
export interface Comparison {
  documents: Versions<Node>;
  report: (finding: Finding) => void;
}

/** One line for each change. A change in a component that is used in many places is reported once. */
export function toLines(findings: readonly Finding[]): string[] {
  const changes = Map.groupBy(findings, ({ where, component, path, change }) =>
    JSON.stringify([component ?? { where }, path, change]),
  );
  return [...changes.values()].flatMap((equal) => {
    const [first, ...others] = [...new Set(equal.map(({ where }) => where))];
    const { component = "", path = "", change = "" } = equal[0] ?? {};
    const where = others.length === 0 ? first : `${first}, and ${others.length} more`;
    return [where, (component + path).trim(), change].filter((part) => part !== "").join(": ");
  });
}

/** The place after following a reference, if both versions refer to the same component. */
export function enter<Here extends Place>(place: Here, { released, current }: Versions<Node>): Here {
  const { $ref: reference } = released;
  if (typeof reference !== "string" || reference !== current["$ref"]) return place;
  return { ...place, component: reference.replace(/^.*\//, ""), path: "" };
}

/** Members that do not affect requests and responses. */
const documentation =
  "$comment $ref description example examples externalDocs summary title x-codeSamples x-scalar-stability".split(" ");

/** Reports every other difference, because its effect is unknown. Skips documentation and the members in `compared`. */
export function compareOthers(
  { documents, report }: Comparison,
  place: Place,
  nodes: Versions<Node>,
  compared: readonly string[],
): void {
  for (const name of Object.keys({ ...nodes.released, ...nodes.current })) {
    if (documentation.includes(name) || compared.includes(name)) continue;
    if (!isSame(documents, nodes, name)) report({ ...place, change: difference(nodes, name) });
  }
}

/** The change of a member, in words. */
export function difference({ released, current }: Versions<Node>, name: string): string {
  return `${name} was ${text(released[name])}, is ${text(current[name])}`;
}

function text(value: unknown): string {
  return value === undefined ? "absent" : JSON.stringify(value);
}
