import { readFileSync } from "node:fs";
import { errorStatuses, parseJson, type ErrorCode } from "@petstore/contract";
import formats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";

/** A response, and what was asked for. */
export interface Exchange {
  /** Empty, as the target is, when what came was no request. */
  method: string;
  target: string;
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

type Json = Readonly<Record<string, unknown>>;

/** A part of the document, and the JSON pointer to it. */
interface Part {
  pointer: string;
  value: Json;
}

/** Headers that any response may carry without being declared: those of HTTP itself, of caches, and of pages of other origins. */
const undeclared =
  /^(?:date|connection|keep-alive|content-length|content-type|transfer-encoding|cache-control|x-content-type-options|vary|allow|access-control-.+)$/;

/** What is served beside the operations: the document, and the pages that show it. */
const pages = /^(?:\/v1\/openapi\.json|\/docs(?:\/scalar\.js)?|\/)(?:\?|$)/;

/** What no response may be without. */
const onEveryResponse = ["date", "x-request-id", "cache-control", "x-content-type-options"];

const root: Part = {
  pointer: "#",
  value: JSON.parse(readFileSync(new URL("../../../packages/contract/openapi.json", import.meta.url), "utf8")) as Json,
};
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(root.value, "openapi.json");

const operations = [...findOperations()];

/** Asserts that responses are what the OpenAPI document says. Softly: what else the test finds is told too. */
export function expectDocumented(exchanges: readonly Exchange[]): void {
  expect.soft([...new Set(exchanges.flatMap(differences))], "differences from openapi.json").toStrictEqual([]);
}

function differences(exchange: Exchange): string[] {
  const { method, target, status } = exchange;
  const operation = findOperation(method, target);
  const found =
    operation === undefined ? differencesBesideOperations(exchange) : differencesOfOperation(operation, exchange);
  return [...found, ...codeDifferences(exchange)].map((each) => `${method} ${target} ${status}: ${each}`);
}

/** The document takes any text for a code; the service sends those that it knows. */
function codeDifferences({ method, status, body }: Exchange): string[] {
  if (status < 400 || method === "HEAD") return [];
  const code = /"code":"(\w+)"/.exec(body)?.[1] ?? "";
  return errorStatuses[code as ErrorCode] === status ? [] : [`the code ${code} does not belong to the status`];
}

/** Whether the document has an operation for a request. */
export function isOperation(method: string, target: string): boolean {
  return findOperation(method, target) !== undefined;
}

function* findOperations() {
  const [{ url: base }] = root.value["servers"] as [{ url: string }];
  const paths = child(root, "paths");
  for (const path of Object.keys(paths?.value ?? {})) {
    const pattern = new RegExp(`^${base}${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    for (const method of ["get", "post", "put", "patch", "delete"]) {
      const operation = child(child(paths, path), method);
      if (operation) yield { method: method.toUpperCase(), pattern, responses: child(operation, "responses") };
    }
  }
}

function findOperation(method: string, target: string) {
  const path = target.replace(/^\w+:\/\/[^/]*/, "").replace(/\?.*$/s, "");
  const named = method === "HEAD" ? "GET" : method; // HEAD is GET, without the body
  return operations.find((each) => each.method === named && each.pattern.test(path));
}

function differencesOfOperation({ responses }: (typeof operations)[number], exchange: Exchange): string[] {
  const { status, headers } = exchange;
  const response =
    child(responses, String(status)) ??
    child(responses, `${Math.trunc(status / 100)}XX`) ??
    child(responses, "default");
  if (!response) return ["the status is not declared"];
  const declared = child(response, "headers");
  return [
    ...missingHeaders(headers),
    ...Object.keys(declared?.value ?? {}).flatMap((name) => headerDifferences(name, child(declared, name), headers)),
    ...extraHeaders(headers, Object.keys(declared?.value ?? {})),
    ...contentDifferences(child(response, "content"), exchange),
  ];
}

/** Of a response on a path, or by a method, that is no operation: the document says only what an error is. */
function differencesBesideOperations({ method, target, status, headers, body }: Exchange): string[] {
  if (status < 400) {
    const isKnown = method === "OPTIONS" || pages.test(target);
    return [...missingHeaders(headers), ...(isKnown ? [] : ["there is no such operation"])];
  }
  return [
    ...missingHeaders(headers),
    ...extraHeaders(headers, ["X-Request-Id"]),
    ...(mediaType(headers) === "application/json" ? [] : ["an error is not application/json"]),
    ...(method === "HEAD" ? [] : bodyDifferences("#/components/schemas/Error", body)),
  ];
}

function missingHeaders(headers: Exchange["headers"]): string[] {
  return onEveryResponse.filter((name) => headers[name] === undefined).map((name) => `the header ${name} is missing`);
}

function extraHeaders(headers: Exchange["headers"], declared: readonly string[]): string[] {
  const known = new Set(declared.map((name) => name.toLowerCase()));
  const extra = Object.keys(headers).filter((name) => !known.has(name) && !undeclared.test(name));
  return extra.map((name) => `the header ${name} is not declared`);
}

function headerDifferences(name: string, declared: Part | undefined, headers: Exchange["headers"]): string[] {
  const text = headers[name.toLowerCase()];
  if (text === undefined) return declared?.value["required"] === true ? [`the header ${name} is missing`] : [];
  const validate = validatorOf(`${declared?.pointer}/schema`);
  // A header is text, of which the schema says whether it is a number.
  if (validate(text) || (/^(?:-?\d+|true|false)$/.test(text) && validate(JSON.parse(text)))) return [];
  return problems(validate, `the header ${name}`);
}

function contentDifferences(content: Part | undefined, { method, headers, body }: Exchange): string[] {
  if (method === "HEAD" && body !== "") return ["a response to HEAD has a body"];
  if (!content) return body === "" ? [] : ["a body is not declared"];
  const type = mediaType(headers);
  const media = child(content, type);
  if (!media) return [`the Content-Type ${type} is not declared`];
  return method === "HEAD" ? [] : bodyDifferences(`${media.pointer}/schema`, body);
}

function mediaType(headers: Exchange["headers"]): string {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function bodyDifferences(schema: string, body: string): string[] {
  const validate = validatorOf(schema);
  try {
    return validate(withoutBigInts(parseJson(body))) ? [] : problems(validate, "the body");
  } catch (error) {
    return [`the body is not JSON: ${(error as Error).message}`];
  }
}

/**
 * Ajv knows no bigint. Reading the body has shown already that each is an integer of 64 bits: others have come back as objects,
 * which are no numbers to Ajv either.
 */
function withoutBigInts(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(withoutBigInts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutBigInts(part)]));
}

function validatorOf(schema: string): ValidateFunction {
  const validate = ajv.getSchema(`openapi.json${schema}`);
  if (!validate) throw new Error(`The document has no schema at ${schema}`);
  return validate;
}

function problems({ errors }: ValidateFunction, what: string): string[] {
  return (errors ?? []).map(({ instancePath, message }) => `${what}${instancePath} ${message}`);
}

/** A member of a part, wherever its reference leads. */
function child(part: Part | undefined, name: string): Part | undefined {
  const value = part?.value[name] as Json | undefined;
  if (part === undefined || value === undefined) return undefined;
  const reference = value["$ref"];
  if (typeof reference === "string") return at(reference);
  return { value, pointer: `${part.pointer}/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}` };
}

function at(reference: string): Part | undefined {
  const names = reference.split("/").slice(1);
  return names.reduce<Part | undefined>(
    (part, name) => child(part, decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~")),
    root,
  );
}
