import { bodyLimitOf, operations as declared, type Operation } from "@petstore/contract/contract";
import { scopes, type OperationName } from "@petstore/contract/metadata";
import { isRequestId } from "@petstore/contract/rules";
import {
  authorize,
  deprecationHeaders,
  checkInput,
  checkMediaType,
  emptyBody,
  findRoute,
  jsonType,
  keyHeaders,
  operationFor,
  paramsOf,
  parseBody,
  HttpError,
  safeHeaders,
  toHttpError,
  toText,
  type ApiKey,
  type Operations,
  type Success,
} from "@petstore/service";

export interface FakeHttpRequest {
  method: string;
  url: URL;
  headers: Headers;
  /** A text where there are no bytes of one: without `TextEncoder`. */
  body: Uint8Array | string;
}

export interface FakeHttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

const caller: ApiKey = { id: "key_fake", name: "fake", kind: "test", scopes, createdAt: 0 };

/** The operation of a request, if there is one with its method and path. */
export function operationOf({ method, url }: FakeHttpRequest): OperationName | undefined {
  const route = findRoute(url.pathname);
  return route && operationFor(route, method);
}

/** The HTTP layer of the fake: handles requests like the server, without a network. */
export function createTransport(operations: Operations, apiKey: string, now: () => number) {
  let newRequestIds = 0;
  const findKey = (secret: string) => (secret === apiKey ? caller : undefined);

  async function perform(request: FakeHttpRequest, requestId: string): Promise<FakeHttpResponse> {
    const { method, url, headers, body } = request;
    const route = findRoute(url.pathname);
    if (route === undefined) throw new HttpError("route_not_found");
    if (method === "OPTIONS") return { status: 204, headers: { Allow: route.allow }, text: "" };
    const name = operationFor(route, method);
    if (name === undefined) throw new HttpError("method_not_allowed", route.allow);
    await authorize(declared[name], headers.get("Authorization") ?? undefined, { now, findKey });
    const input = checkInput(declared[name], {
      params: paramsOf(route, url.pathname),
      query: readQuery(url),
      headers: Object.fromEntries(headers),
      body: "body" in declared[name] ? readBody(declared[name], headers, body) : undefined,
    });
    const operation = operations[name] as (call: unknown) => Promise<Success<OperationName>>;
    const success = await operation({ ...input, caller, requestId });
    const { status, headers: own = {} } = success;
    return success.body === undefined
      ? { status, headers: own, text: "" }
      : json(status, success.body, own);
  }

  /** @param failure the error response of a fault; with it, the request is not performed */
  return async function serve(
    request: FakeHttpRequest,
    failure?: FakeHttpResponse,
  ): Promise<FakeHttpResponse> {
    const given = request.headers.get("X-Request-Id");
    const requestId = isRequestId(given) ? given : `fake-${++newRequestIds}`;
    const { status, headers, text } =
      failure ?? (await perform(request, requestId).catch(toResponse));
    const name = operationOf(request);
    const deprecation = name && deprecationHeaders(declared[name]);
    const links = [deprecation?.["Link"], headers["Link"]].filter((link) => link !== undefined);
    const isKnownCaller = name !== undefined && status !== 401;
    const common = {
      ...safeHeaders,
      ...(isKnownCaller && keyHeaders(caller)),
      "X-Request-Id": requestId,
      ...deprecation,
    };
    return {
      status,
      headers: { ...common, ...headers, ...(links.length > 0 && { Link: links.join(", ") }) },
      text,
    };
  };
}

function toResponse(error: unknown): FakeHttpResponse {
  const { status, body, headers } = toHttpError(error);
  return json(status, body, headers);
}

export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): FakeHttpResponse {
  return { status, headers: { "Content-Type": jsonType, ...headers }, text: toText(body) };
}

/** The query parameters. A repeated one becomes an array, which no field accepts. */
function readQuery({ searchParams }: URL): Record<string, unknown> {
  const names = [...new Set(searchParams.keys())].map(
    (name) => [name, searchParams.getAll(name)] as const,
  );
  return Object.fromEntries(
    names.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function readBody(operation: Operation, headers: Headers, body: Uint8Array | string): unknown {
  if (body.length === 0) throw emptyBody();
  checkMediaType(
    headers.get("Content-Type") ?? undefined,
    headers.get("Content-Encoding") ?? undefined,
  );
  const limit = bodyLimitOf(operation);
  const size = typeof body === "string" ? new Blob([body]).size : body.length;
  if (size > limit) throw new HttpError("body_too_large", String(limit));
  return parseBody(body);
}
