import { operations, pathTemplate, type OperationName } from "@petstore/contract/operations";
import { basePath } from "@petstore/contract/values";

/** A path of the interface, and what its methods ask for. */
export interface Route {
  /** As the contract writes it. */
  path: string;
  /** As the document, the log and the metrics write it. */
  template: string;
  operations: Readonly<Record<string, OperationName>>;
  /** Every method that is allowed, as the `Allow` header has it. */
  allow: string;
}

export const routes: readonly Route[] = [...new Set(Object.values(operations).map(({ path }) => path))].map((path) => {
  const here = Object.entries(operations).filter(([, operation]) => operation.path === path);
  const methods = here.flatMap(([name, { method }]) =>
    (method === "GET" ? [method, "HEAD"] : [method]).map((each) => [each, name as OperationName] as const),
  );
  return {
    path,
    template: pathTemplate(path),
    operations: Object.fromEntries(methods),
    allow: allowOf(methods.map(([method]) => method)),
  };
});

/** The operation that a method asks for on a route. Any text may be a method: `toString` is none of ours. */
export function operationFor(route: Route, method: string): OperationName | undefined {
  return Object.hasOwn(route.operations, method) ? route.operations[method] : undefined;
}

/** The value of the `Allow` header where these methods have a meaning. */
export function allowOf(methods: readonly string[]): string {
  return [...methods, "OPTIONS"].join(", ");
}

/** In the order of the routes. */
const patterns = routes.map(({ path }) => new RegExp(`^${basePath}${path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}$`));

/** The route of a path; `undefined` when there is nothing at the path. */
export function findRoute(path: string): Route | undefined {
  return routes.find((_, index) => patterns[index]?.test(path));
}

/** The parameters in a path of the route. */
export function paramsOf(route: Route, path: string): Record<string, string> {
  const found = patterns[routes.indexOf(route)]?.exec(path)?.groups ?? {};
  return Object.fromEntries(Object.entries(found).map(([name, text]) => [name, decode(text)]));
}

/** A part of a path. A `%` that starts no escape stands for itself. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
