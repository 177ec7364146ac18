import { child, children, follow, type Node } from "./document.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** An operation, with what its path and the document say of it. */
export interface Operation {
  node: Node;
  /** By what tells parameters apart: `query limit`. */
  parameters: ReadonlyMap<string, Node>;
  /** What a request needs, as JSON: one of these. */
  security: readonly string[];
}

/** What a request needs when anybody may send it. */
export const anybody = "[]";

/** The operations of a document, by method and path: `GET /pets`. */
export function operationsOf(document: Node): ReadonlyMap<string, Operation> {
  const paths = child(document, "paths");
  const operations = Object.keys(paths).flatMap((path) => {
    const item = follow(document, child(paths, path));
    const found = methods.filter((method) => method in item);
    return found.map((method) => [`${method.toUpperCase()} ${path}`, operationOf(document, item, method)] as const);
  });
  return new Map(operations);
}

function operationOf(document: Node, item: Node, method: string): Operation {
  const node = child(item, method);
  const parameters = [...children(item, "parameters"), ...children(node, "parameters")].map((parameter) => {
    const { in: place, name, ...rest } = follow(document, parameter);
    return [`${String(place)} ${String(name)}`, rest] as const;
  });
  return { node, parameters: new Map(parameters), security: securityOf(document, node) };
}

function securityOf(document: Node, operation: Node): string[] {
  const schemes = child(child(document, "components"), "securitySchemes");
  const alternatives = children("security" in operation ? operation : document, "security");
  const needs = alternatives.map((alternative) =>
    Object.entries(alternative).map(([name, scopes]) => {
      const { description: _description, ...scheme } = follow(document, child(schemes, name));
      return [name, scopes, scheme];
    }),
  );
  return needs.length === 0 ? [anybody] : needs.map((need) => JSON.stringify(need));
}
