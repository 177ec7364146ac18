import { z } from "zod";
import { apiVersion, contract, type OperationMetadata } from "./contract.ts";
import { errorSchema, type ErrorCode } from "./error.ts";
import { ordersSchema } from "./order.ts";
import { newPetSchema, petsSchema } from "./pet.ts";
import { basePath, errorStatuses } from "./values.ts";

/** A JSON value that is built here piece by piece. */
type Json = { [name: string]: unknown };

/** The part of a ts-rest route that the document shows. */
interface Route {
  method: string;
  path: string;
  summary?: string;
  description?: string;
  pathParams?: unknown;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
  responses: Record<number, unknown>;
  metadata?: unknown;
}

/** The OpenAPI 3.1 document of the interface, derived from the {@link contract}. */
export function openApiDocument(): Json {
  return {
    openapi: "3.1.1",
    info: {
      title: "Petstore",
      version: apiVersion,
      summary: "A catalogue of animals up for adoption.",
      description:
        "Lists, filters, adds and fetches animals. Every operation needs an API key as a bearer token. " +
        "Integers of format `int64` are exact on the wire: parse them as 64-bit integers.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: basePath }],
    security: [{ apiKey: [] }],
    tags: [
      { name: "pets", description: "The catalogue of animals." },
      { name: "store", description: "Orders, as the operator's order system supplied them." },
    ],
    paths: paths(),
    components: { securitySchemes: { apiKey: securityScheme }, headers, schemas: componentSchemas() },
  };
}

/** The {@link openApiDocument} as text: the file `openapi.json`, and what a server answers, byte for byte (D18). */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

const securityScheme = {
  type: "http",
  scheme: "bearer",
  description: "An API key, `pst_live_…` or `pst_test_…`, issued by the operator with `petstore-server keys create`.",
};

/** Every header that an answer may carry beyond those of HTTP itself. */
const headers = {
  "X-Request-Id": header("The caller's request id if it was well formed, otherwise a new one.", { type: "string" }),
  Link: header('Related pages (RFC 8288); `rel="next"` is absent on the last page.', { type: "string" }),
  Location: header("The new animal, relative to the request.", { type: "string", format: "uri-reference" }),
  "Idempotent-Replayed": header("`true` when this answer repeats an earlier one.", { type: "string", const: "true" }),
  "WWW-Authenticate": header("How to authenticate (RFC 6750).", { type: "string" }),
  "Retry-After": header("Seconds to wait before the next attempt.", { type: "integer", minimum: 0 }),
  Deprecation: header("Since when the operation is deprecated (RFC 9745).", { type: "string" }),
  Sunset: header("When the operation is removed (RFC 8594).", { type: "string" }),
};

/** The names of those headers. */
export const answerHeaderNames = Object.keys(headers);

/** What is refused before its path is known. */
const beforeRouting = [408, 431];

const statusDescriptions: Record<number, string> = {
  200: "Found.",
  201: "Stored durably.",
  400: "The request has invalid values.",
  401: "The API key is missing or invalid.",
  403: "The API key lacks the scope that the operation needs.",
  404: "There is no such animal.",
  408: "The request did not arrive in time.",
  409: "A request with the same idempotency key is still in progress.",
  410: "The operation has been removed.",
  413: "The request body is too large.",
  414: "The request target is too long.",
  415: "The request body is not UTF-8 JSON.",
  417: "The expectation cannot be met.",
  422: "The idempotency key was used for another request body.",
  429: "The API key has made too many requests.",
  431: "The request headers are too large.",
  500: "The service failed.",
  503: "The service cannot answer right now.",
};

function paths(): Json {
  const result: Record<string, Json> = {};
  for (const [name, route] of Object.entries<Route>(contract)) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    result[path] = { ...result[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return result;
}

function operation(name: string, route: Route): Json {
  const metadata = route.metadata as OperationMetadata;
  return {
    operationId: name,
    summary: route.summary,
    description: route.description,
    tags: [metadata.tag],
    ...(metadata.deprecation && { deprecated: true, "x-sunset": metadata.deprecation.sunset }),
    "x-stability": metadata.stability,
    "x-scope": metadata.scope,
    parameters: [
      ...parameters("path", route.pathParams),
      ...parameters("query", route.query),
      ...parameters("header", route.headers),
    ],
    ...(route.body ? { requestBody: { required: true, content: jsonContent(route.body) } } : {}),
    responses: Object.fromEntries(
      Object.entries(route.responses).map(([status, schema]) => [
        status,
        {
          description: statusDescriptions[Number(status)],
          headers: answerHeaders(Number(status), name, metadata),
          content: { "application/json": { schema: jsonSchema(schema), ...errorExample(Number(status)) } },
        },
      ]),
    ),
  };
}

function parameters(place: "path" | "query" | "header", schema: unknown): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, value]) => {
    const { description, ...rest } = value as Json;
    return {
      name: place === "header" ? headerName(name) : name,
      in: place,
      description,
      required: required.includes(name),
      schema: rest,
    };
  });
}

function answerHeaders(status: number, name: string, metadata: OperationMetadata): Json {
  const names: (keyof typeof headers)[] = ["X-Request-Id"];
  if (metadata.deprecation && !beforeRouting.includes(status)) names.push("Deprecation", "Sunset", "Link");
  if (status === 200 && name.startsWith("list")) names.push("Link");
  if (status === 201) names.push("Location", "Idempotent-Replayed");
  if (status === 401 || status === 403) names.push("WWW-Authenticate");
  if (status === 409 || status === 429 || status === 503) names.push("Retry-After");
  return Object.fromEntries(names.map((each) => [each, { $ref: `#/components/headers/${each}` }]));
}

function errorExample(status: number): Json {
  if (status < 400) return {};
  const codes = (Object.keys(errorStatuses) as ErrorCode[]).filter((code) => errorStatuses[code] === status);
  return { example: { code: codes[0], message: statusDescriptions[status], status } };
}

/** The named schemas, as they stand under `components`. */
function componentSchemas(): Json {
  const { $defs } = toJsonSchema(z.tuple([newPetSchema, petsSchema, ordersSchema, errorSchema]));
  return Object.fromEntries(
    Object.entries($defs as Record<string, Json>)
      .map(([name, { id: _id, ...schema }]) => [name, schema] as const)
      .toSorted(([left], [right]) => left.localeCompare(right)),
  );
}

function jsonSchema(schema: unknown): Json {
  const { $schema: _dialect, $defs: _definitions, ...rest } = toJsonSchema(schema as z.ZodType);
  return rest;
}

function toJsonSchema(schema: z.ZodType): Json {
  const document = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return JSON.parse(JSON.stringify(document).replaceAll("#/$defs/", "#/components/schemas/")) as Json;
}

function jsonContent(schema: unknown): Json {
  return { "application/json": { schema: jsonSchema(schema) } };
}

function header(description: string, schema: Json): Json {
  return { description, schema };
}

function headerName(name: string): string {
  return name.replaceAll(/(?:^|-)[a-z]/g, (part) => part.toUpperCase());
}
