import { isDeepStrictEqual } from "node:util";

/** An object of an OpenAPI document. */
export type Node = { readonly [name: string]: unknown };

/** The released and the current version of something. */
export interface Versions<Thing> {
  released: Thing;
  current: Thing;
}

/** The object in the member `name`, or an empty object. */
export function child(node: Node, name: string): Node {
  return asNode(node[name]);
}

/** {@link child} of both versions. */
export function childVersions({ released, current }: Versions<Node>, name: string): Versions<Node> {
  return { released: child(released, name), current: child(current, name) };
}

/** The objects in the list `name`. */
export function children(node: Node, name: string): Node[] {
  const list = node[name];
  return Array.isArray(list) ? list.map(asNode) : [];
}

/** Resolves a reference, and adds the members of the referring object. Returns any other object unchanged. */
export function follow(document: Node, node: Node): Node {
  const { $ref: reference } = node;
  if (typeof reference !== "string") return node;
  const names = reference.split("/").slice(1);
  const target = names.reduce((at, name) => child(at, name.replaceAll("~1", "/").replaceAll("~0", "~")), document);
  return { ...follow(document, target), ...node };
}

/** {@link follow} for both versions. */
export function followVersions(documents: Versions<Node>, { released, current }: Versions<Node>): Versions<Node> {
  return { released: follow(documents.released, released), current: follow(documents.current, current) };
}

/** Whether the member `name` is equal in both versions, with references resolved. */
export function isSame(documents: Versions<Node>, { released, current }: Versions<Node>, name: string): boolean {
  return isDeepStrictEqual(expand(documents.released, released[name]), expand(documents.current, current[name]));
}

function expand(document: Node, value: unknown, above: readonly unknown[] = []): unknown {
  if (Array.isArray(value)) return value.map((each) => expand(document, each, above));
  if (typeof value !== "object" || value === null) return value;
  const { $ref: reference, ...members } = follow(document, value as Node);
  if (reference !== undefined && above.includes(reference)) return reference;
  const entries = Object.entries(members);
  return Object.fromEntries(entries.map(([name, each]) => [name, expand(document, each, [...above, reference])]));
}

function asNode(value: unknown): Node {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : {};
}
