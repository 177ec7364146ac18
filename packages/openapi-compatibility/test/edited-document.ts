import { read } from "@petstore/test-kit/checkout";
import { breakingChanges } from "../src/breaking-changes.ts";
import type { Node } from "../src/document.ts";

// JSON pointers into the document.
export const list = "/paths/~1pets/get";
export const create = "/paths/~1pets/post";
export const get = "/paths/~1pets~1{petId}/get";
export const schemas = "/components/schemas";

/** The schema of a string. */
export const text = { type: "string" };

type Container = Record<string, unknown> | unknown[];

/** The document of the contract. */
export function readDocument(): Node {
  return JSON.parse(read("packages/contract/openapi.json")) as Node;
}

/** The document after edits: new values by JSON pointer. `undefined` removes a value; a `-` at the end appends to a list. */
export function editedDocument(edits: Record<string, unknown>): Node {
  const document = readDocument();
  for (const [pointer, value] of Object.entries(edits)) edit(document, namesOf(pointer), value);
  return document;
}

/** The breaking changes of the edits. */
export function changesBy(edits: Record<string, unknown>): string[] {
  return breakingChanges(readDocument(), editedDocument(edits));
}

function edit(container: Container, [name = "", ...names]: string[], value: unknown): void {
  const members = container as Record<string, unknown>;
  if (names.length > 0) {
    if (members[name] === undefined) throw new Error(`the document has no ${name} to edit`);
    edit(members[name] as Container, names, value);
  } else if (Array.isArray(container))
    container.splice(name === "-" ? container.length : Number(name), 1, ...listOf(value));
  else if (value === undefined) delete members[name];
  else members[name] = value;
}

function listOf(value: unknown): unknown[] {
  return value === undefined ? [] : [value];
}

function namesOf(pointer: string): string[] {
  const names = pointer.split("/").slice(1);
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The JSON pointers of all values in a document. */
export function pointersOf(value: unknown, pointer = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return [at, ...pointersOf(each, at)];
  });
}
