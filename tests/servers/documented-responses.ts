import { errors, type ErrorCode } from "@petstore/contract";
import { read } from "@petstore/test-kit/checkout";
import formats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";

/** A request and its response. */
export interface Exchange {
  /** Empty, like the target, if the server could not read a request. */
  method: string;
  target: string;
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A part of the OpenAPI document. */
interface Part {
  [name: string]: Part;
}

/**
 * Headers that any response may have without a declaration: headers of HTTP itself, caching and
 * CORS.
 */
const undeclared =
  /^(?:date|connection|keep-alive|content-length|content-type|transfer-encoding|cache-control|x-content-type-options|vary|allow|access-control-.+)$/;

/**
 * Public paths that are not operations: the document, and the pages. An absolute target may have no
 * path.
 */
const pages =
  /^(?:https?:\/\/[^/?]+|\/v1\/openapi\.json|\/docs(?:\/[\w.-]*)?|\/help(?:\.[\w-]+)?|\/assets\/[\w.-]+|\/)(?:\?|$)/i;

/** The headers that every response must have. */
const onEveryResponse = ["date", "x-request-id", "cache-control", "x-content-type-options"];

const root = JSON.parse(read("packages/contract/openapi.json")) as Record<
  "paths" | "components",
  Part
> & {
  servers: [{ url: string }];
};
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
formats.default(ajv);

const operations = Object.entries(root.paths).flatMap(([path, item]) => {
  const pattern = new RegExp(`^${root.servers[0].url}${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return Object.entries(item).flatMap(([method, { responses }]) =>
    responses ? [{ method: method.toUpperCase(), pattern, responses }] : [],
  );
});

/** Asserts that responses match the OpenAPI document. */
export function expectDocumented(exchanges: readonly Exchange[]): void {
  expect(
    [...new Set(exchanges.flatMap(differences))],
    "differences from openapi.json",
  ).toStrictEqual([]);
}

function findOperation(method: string, target: string) {
  const path = target.replace(/^\w+:\/\/[^/]*/, "").replace(/\?.*$/s, "");
  const named = method === "HEAD" ? "GET" : method; // HEAD is GET without the body
  return operations.find((each) => each.method === named && each.pattern.test(path));
}

function differences(exchange: Exchange): string[] {
  const { method, target, status, headers } = exchange;
  const operation = findOperation(method, target);
  const found = operation
    ? differencesOfOperation(operation.responses, exchange)
    : differencesBesideOperations(exchange);
  const missing = onEveryResponse.filter((name) => headers[name] === undefined);
  return [
    ...missing.map((name) => `the header ${name} is missing`),
    ...found,
    ...codeDifferences(exchange),
  ].map((each) => `${method} ${target} ${status}: ${each}`);
}

/** The document allows any text as a code, but the service sends only known codes. */
function codeDifferences({ method, status, body }: Exchange): string[] {
  if (status < 400 || method === "HEAD") return [];
  const code = /"code":"(\w+)"/.exec(body)?.[1] ?? "";
  return errors[code as ErrorCode].status === status
    ? []
    : [`the code ${code} does not belong to the status`];
}

function differencesOfOperation(responses: Part, exchange: Exchange): string[] {
  const { status, headers } = exchange;
  const response = resolve(
    responses[status] ?? responses[`${Math.trunc(status / 100)}XX`] ?? responses["default"],
  );
  if (!response) return ["the status is not declared"];
  const declared = response["headers"] ?? {};
  return [
    ...Object.entries(declared).flatMap(([name, header]) =>
      headerDifferences(name, resolve(header), headers),
    ),
    ...extraHeaders(headers, Object.keys(declared)),
    ...contentDifferences(response["content"], exchange),
  ];
}

/** Checks a response that belongs to no operation. For these the document describes only errors. */
function differencesBesideOperations({
  method,
  target,
  status,
  headers,
  body,
}: Exchange): string[] {
  if (status < 400) {
    const isKnown = method === "OPTIONS" || pages.test(target);
    return isKnown ? [] : ["there is no such operation"];
  }
  return [
    // Without a request, it may be the error of any operation.
    ...(method === "" ? [] : extraHeaders(headers, ["X-Request-Id", "Retry-After"])),
    ...(mediaType(headers) === "application/json" ? [] : ["an error is not application/json"]),
    ...(method === "HEAD" ? [] : bodyDifferences(root.components["schemas"]?.["Error"], body)),
  ];
}

function extraHeaders(headers: Exchange["headers"], declared: readonly string[]): string[] {
  const known = new Set(declared.map((name) => name.toLowerCase()));
  const extra = Object.keys(headers).filter((name) => !known.has(name) && !undeclared.test(name));
  return extra.map((name) => `the header ${name} is not declared`);
}

function headerDifferences(
  name: string,
  declared: Part | undefined,
  headers: Exchange["headers"],
): string[] {
  const text = headers[name.toLowerCase()];
  if (text === undefined) return declared?.["required"] ? [`the header ${name} is missing`] : [];
  const validate = validatorOf(declared?.["schema"]);
  // A header is text. Its schema may require a number.
  if (validate(text) || (/^(?:-?\d+|true|false)$/.test(text) && validate(JSON.parse(text))))
    return [];
  return problems(validate, `the header ${name}`);
}

function contentDifferences(
  content: Part | undefined,
  { method, headers, body }: Exchange,
): string[] {
  if (method === "HEAD" && body !== "") return ["a response to HEAD has a body"];
  if (!content) return body === "" ? [] : ["a body is not declared"];
  const type = mediaType(headers);
  const media = content[type];
  if (!media) return [`the Content-Type ${type} is not declared`];
  return method === "HEAD" ? [] : bodyDifferences(media["schema"], body);
}

function mediaType(headers: Exchange["headers"]): string {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function bodyDifferences(schema: Part | undefined, body: string): string[] {
  const validate = validatorOf(schema);
  try {
    return validate(JSON.parse(body)) ? [] : problems(validate, "the body");
  } catch (error) {
    return [`the body is not JSON: ${(error as Error).message}`];
  }
}

const validators = new Map<Part, ValidateFunction>();

function validatorOf(schema: Part | undefined): ValidateFunction {
  if (!schema) throw new Error("The document has no such schema");
  // Its references point to the components of the document.
  const validate =
    validators.get(schema) ?? ajv.compile({ ...schema, components: root.components });
  validators.set(schema, validate);
  return validate;
}

function problems({ errors: found }: ValidateFunction, name: string): string[] {
  return (found ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
}

/** A part of the document, with references resolved. */
function resolve(part: Part | undefined): Part | undefined {
  const reference: unknown = part?.["$ref"];
  if (typeof reference !== "string") return part;
  const names = reference.split("/").slice(1);
  return resolve(
    names.reduce<Part | undefined>((found, name) => found?.[name], root as unknown as Part),
  );
}
