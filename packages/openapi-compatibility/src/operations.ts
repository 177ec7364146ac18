import { child, children, follow, type Node } from "./document.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** An operation, including what it inherits from its path and the document. */
export interface Operation {
  node: Node;
  /** By place and name: `query limit`. */
  parameters: ReadonlyMap<string, Node>;
  /** The alternative security requirements, as JSON. */
  security: readonly string[];
}

/** The security requirement of an operation without authentication. */
export const noSecurity = "[]";

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
  const requirements = alternatives.map((alternative) =>
    Object.entries(alternative).map(([name, scopes]) => {
      const { description: _description, ...scheme } = follow(document, child(schemes, name));
      return [name, scopes, scheme];
    }),
  );
  return requirements.length === 0 ? [noSecurity] : requirements.map((each) => JSON.stringify(each));
}
