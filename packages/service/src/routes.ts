import { operations, pathTemplate } from "@petstore/contract/contract";
import type { OperationName } from "@petstore/contract/metadata";
import { basePath } from "@petstore/contract/rules";

/** A path of the API, with the operation of each method. */
export interface Route {
  /** In the contract's notation: `/pets/:petId`. */
  path: string;
  /** In the notation of the OpenAPI document, the log and the metrics: `/pets/{petId}`. */
  template: string;
  /** Matches a path with the base path. Its groups are the parameters. */
  pattern: RegExp;
  operations: Readonly<Record<string, OperationName>>;
  allow: string;
}

export const routes: readonly Route[] = [
  ...new Set(Object.values(operations).map(({ path }) => path)),
].map((path) => {
  const here = Object.entries(operations).filter(([, operation]) => operation.path === path);
  const methods = here.flatMap(([name, { method }]) =>
    (method === "GET" ? [method, "HEAD"] : [method]).map(
      (each) => [each, name as OperationName] as const,
    ),
  );
  return {
    path,
    template: pathTemplate(path),
    pattern: new RegExp(`^${basePath}${path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}$`),
    operations: Object.fromEntries(methods),
    allow: allowOf(methods.map(([method]) => method)),
  };
});

export const apiMethods: readonly string[] = [
  ...new Set(routes.flatMap((route) => Object.keys(route.operations))),
];

/** The operation of a method on a route. The method may be any text, such as `toString`. */
export function operationFor(route: Route, method: string): OperationName | undefined {
  return Object.hasOwn(route.operations, method) ? route.operations[method] : undefined;
}

/** The value of the `Allow` header for a resource with these methods. */
export function allowOf(methods: readonly string[]): string {
  return [...methods, "OPTIONS"].join(", ");
}

export function findRoute(path: string): Route | undefined {
  return routes.find(({ pattern }) => pattern.test(path));
}

/** The decoded parameters in a path of the route. */
export function paramsOf({ pattern }: Route, path: string): Record<string, string> {
  const found = pattern.exec(path)?.groups ?? {};
  return Object.fromEntries(Object.entries(found).map(([name, text]) => [name, decode(text)]));
}

/** Decodes a part of a path, or returns it unchanged when it has an invalid escape. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
