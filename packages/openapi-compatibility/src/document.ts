import { isDeepStrictEqual } from "node:util";

/** An object of an OpenAPI document. */
export type Node = { readonly [name: string]: unknown };

/** The same thing in each of two documents. */
export interface Both<Thing> {
  released: Thing;
  current: Thing;
}

/** The object called `name`, or one without members. */
export function child(node: Node, name: string): Node {
  return asNode(node[name]);
}

/** The objects called `name` of both documents. */
export function childOfBoth({ released, current }: Both<Node>, name: string): Both<Node> {
  return { released: child(released, name), current: child(current, name) };
}

/** The objects in the list called `name`. */
export function children(node: Node, name: string): Node[] {
  const list = node[name];
  return Array.isArray(list) ? list.map(asNode) : [];
}

/** The object that a reference leads to, with the reference and what stands beside it; any other object as it is. */
export function follow(document: Node, node: Node): Node {
  const { $ref: reference } = node;
  if (typeof reference !== "string") return node;
  const names = reference.split("/").slice(1);
  const target = names.reduce((at, name) => child(at, name.replaceAll("~1", "/").replaceAll("~0", "~")), document);
  return { ...follow(document, target), ...node };
}

/** What {@link follow} finds in both documents. */
export function followBoth(documents: Both<Node>, { released, current }: Both<Node>): Both<Node> {
  return { released: follow(documents.released, released), current: follow(documents.current, current) };
}

/** Whether the member called `name` is the same, wherever its references lead. */
export function isSame(documents: Both<Node>, { released, current }: Both<Node>, name: string): boolean {
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
