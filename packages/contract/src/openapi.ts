import * as z from "zod";
import { codeSamples } from "./code-samples.ts";
import { componentOf, components } from "./components.ts";
import { bodyLimitOf, headerName, operations, pathTemplate, type Operation } from "./contract.ts";
import { errorCodes, type ErrorCode } from "./error-codes.ts";
import { describeError, errors, errorSchema } from "./errors.ts";
import { petStatuses } from "./fields.ts";
import { apiVersion } from "./metadata.ts";
import { introduction } from "./openapi-introduction.ts";
import { isOptional } from "./problems.ts";
import { responseHeaders, statuses, type ResponseHeader } from "./responses.ts";
import { basePath } from "./rules.ts";

type Json = { [name: string]: unknown };

/**
 * The OpenAPI 3.1 document of the API, derived from its {@link operations}.
 * @param server the address of the service; by default that of the server that sends the document
 */
export function openApiDocument(server: string = basePath): Json {
  const described = Object.entries(operations).map(([name, operation]) =>
    describe(name, operation),
  );
  const parameters = repeated(described.flatMap((operation) => operation.parameters));
  const responses = repeated(described.flatMap((operation) => operation.responses));
  return {
    openapi: "3.1.1",
    info: {
      title: "Petstore",
      version: apiVersion,
      summary: "A catalogue of animals for adoption.",
      description: introduction,
      contact: { name: "The operator of this service" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: server }],
    security: [{ apiKey: [] }],
    tags: [
      { name: "pets", description: "The catalogue of animals." },
      { name: "store", description: "Orders, as supplied by the operator's order system." },
    ],
    paths: toPaths(described, { parameters, responses }),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description:
            "An API key, `pst_live_…` or `pst_test_…`, issued by the operator with `petstore-server keys create`.",
        },
      },
      parameters: Object.fromEntries(parameters),
      headers: responseHeaders,
      responses: Object.fromEntries(responses),
      schemas: render(components, "input"),
    },
  };
}

/** The {@link openApiDocument} as text: the file `openapi.json`, and the response of a server. */
export function openApiText(server?: string): string {
  return `${JSON.stringify(openApiDocument(server), null, 2)}\n`;
}

/**
 * A part of an operation. If several operations have the same part, it becomes a component of this
 * name.
 */
interface Part {
  component: string;
  value: Json;
}

interface ResponsePart extends Part {
  status: number;
  value: { description: string | undefined; headers: Json; content: Json | undefined };
}

function describe(name: string, operation: Operation) {
  const { path, method, summary, description, body, responses, metadata } = operation;
  const { tag, stability, scope, deprecation } = metadata;
  const removal = deprecation ? [`It will be removed on ${deprecation.sunset.slice(0, 10)}.`] : [];
  // For tools that do not look into schemas.
  const [value] = (body?.meta()?.examples ?? []) as unknown[];
  return {
    path: pathTemplate(path),
    method: method.toLowerCase(),
    metadata: {
      operationId: name,
      summary,
      description: [description, ...removal, `Requires the scope \`${scope}\`.`].join(" "),
      tags: [tag],
      ...(deprecation && { deprecated: true, "x-sunset": deprecation.sunset }),
      "x-stability": stability,
      "x-scope": scope,
      // For API reference pages: a badge, and samples that they cannot make themselves.
      ...(stability === "experimental" && { "x-scalar-stability": stability }),
      "x-codeSamples": codeSamples(name, operation),
    },
    parameters: [
      ...toParameters("path", operation.pathParams),
      ...toParameters("query", operation.query),
      ...toParameters("header", operation.headers),
    ],
    requestBody: body
      ? { requestBody: { required: true, content: jsonContent(body, { example: { value } }) } }
      : {},
    responses: Object.entries(responses).map(([status, schema]) =>
      schema === errorSchema
        ? toErrorResponse(Number(status), operation)
        : toResponse(
            Number(status),
            metadata.headers ?? [],
            typeof schema === "symbol" ? undefined : jsonContent(schema),
            operation,
          ),
    ),
  };
}

function toErrorResponse(status: number, operation: Operation): ResponsePart {
  const codes = errorCodes.filter(
    (code) => errors[code].status === status && isReturnedBy(operation, code),
  );
  const described = codes.map(
    (code) => [code, describeError(code, exampleDetail(code, operation))] as const,
  );
  const examples = described.map(([code, { message }]) => [
    code,
    { value: { code, message, status } },
  ]);
  const headers = described.flatMap(([, error]) => Object.keys(error.headers) as ResponseHeader[]);
  if (status === errors.unsupported_media_type.status) headers.push("Accept-Encoding");
  const response = toResponse(
    status,
    headers,
    jsonContent(errorSchema, Object.fromEntries(examples)),
    operation,
  );
  for (const name of headers) {
    const isAlwaysSent = described.every(([, error]) => name in error.headers);
    if (!isAlwaysSent && "required" in responseHeaders[name])
      response.value.headers[name] = { ...responseHeaders[name], required: false };
  }
  return response;
}

/** Whether an operation returns this error. It is known to return the status of the error. */
function isReturnedBy({ query, body }: Operation, code: ErrorCode): boolean {
  if (code === "status_changed") return query !== undefined && "ifStatus" in query.shape;
  if (code === "reference_taken") return body !== undefined && "reference" in body.shape;
  return code !== "route_not_found";
}

/** The detail in the example message of an error. */
function exampleDetail(code: ErrorCode, operation: Operation): string {
  const { scope, deprecation, invalidRequest } = operation.metadata;
  if (code === "body_too_large") return String(bodyLimitOf(operation));
  if (code === "insufficient_scope") return scope;
  if (code === "status_changed") return petStatuses[1];
  if (code === "reference_taken") return "2";
  return (code === "invalid_request" ? invalidRequest : deprecation?.successor.description) ?? "";
}

/**
 * The server sends this status before it knows the path, so it has no operation-specific headers.
 */
const beforeRouting = errors.headers_too_large.status;

/** The statuses of requests that never have a valid key. */
const withoutValidKey: readonly number[] = [errors.invalid_api_key.status, beforeRouting];

function toResponse(
  status: number,
  own: readonly ResponseHeader[],
  content: Json | undefined,
  { metadata: { deprecation }, responses }: Operation,
): ResponsePart {
  const known = statuses[status];
  if (known === undefined)
    throw new Error(
      `cannot make the OpenAPI document: status ${status} has no description in responses.ts`,
    );
  const names = new Set<ResponseHeader>(["X-Request-Id"]);
  if (!withoutValidKey.includes(status)) names.add("Key-Scopes");
  for (const name of own) names.add(name);
  if (deprecation && status !== beforeRouting) for (const name of announcement) names.add(name);
  const headers = [...names].map((name) => [
    name === "Successor" ? "Link" : name,
    { $ref: `#/components/headers/${name}` },
  ]);
  const body = responses[status];
  const { component, description = typeof body === "object" ? body.description : undefined } =
    known;
  return {
    status,
    component,
    value: { description, headers: Object.fromEntries(headers), content },
  };
}

/** The headers on every response of a deprecated operation. */
const announcement = [
  "Deprecation",
  "Sunset",
  "Successor",
] as const satisfies readonly ResponseHeader[];

/**
 * The parts that occur in several operations, by component name. A different part of the same name
 * stays inline.
 */
function repeated(parts: readonly Part[]): Map<string, Json> {
  const shared = new Map<string, Json>();
  const seen = new Set<string>();
  for (const { component, value } of parts) {
    const text = JSON.stringify(value);
    if (seen.has(text) && !shared.has(component)) shared.set(component, value);
    seen.add(text);
  }
  return shared;
}

function toPaths(
  described: readonly ReturnType<typeof describe>[],
  shared: Record<"parameters" | "responses", Map<string, Json>>,
): Record<string, Json> {
  const refer = (kind: keyof typeof shared, { component, value }: Part) =>
    JSON.stringify(shared[kind].get(component)) === JSON.stringify(value)
      ? { $ref: `#/components/${kind}/${component}` }
      : value;

  const paths: Record<string, Json> = {};
  for (const { path, method, metadata, parameters, requestBody, responses } of described) {
    const operation = {
      ...metadata,
      ...(parameters.length > 0 && {
        parameters: parameters.map((part) => refer("parameters", part)),
      }),
      ...requestBody,
      responses: Object.fromEntries(
        responses.map((part) => [part.status, refer("responses", part)]),
      ),
    };
    paths[path] = { ...paths[path], [method]: operation };
  }
  return paths;
}

function toParameters(place: "path" | "query" | "header", parameters?: z.ZodObject): Part[] {
  if (parameters === undefined) return [];
  // As a handler gets them: on the wire, every parameter is a string.
  const properties = render({ ...components, parameters }, "output")["parameters"]
    ?.properties as Record<string, Json>;
  return Object.entries(properties).map(([key, { description, example, ...schema }]) => {
    const name = place === "header" ? headerName(key) : key;
    const required = !isOptional(parameters.shape[key] as z.ZodType);
    return {
      component: name.replace(/^./, (letter) => letter.toUpperCase()),
      value: { name, in: place, description, required, schema, example },
    };
  });
}

/** JSON Schemas, which refer to each other as components of the document. */
function render(schemas: Readonly<Record<string, z.ZodType>>, io: "input" | "output") {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const rendered = z.toJSONSchema(registry, {
    io,
    uri: referenceTo,
    unrepresentable: "any", // an int64 has its type in its metadata
    override({ jsonSchema, path }) {
      // Client generators make a property with a default required.
      if (io === "input" && path.length > 0) delete jsonSchema.default;
    },
  });
  for (const schema of Object.values(rendered.schemas)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return rendered.schemas;
}

function referenceTo(id: string): string {
  return `#/components/schemas/${id}`;
}

function jsonContent(schema: z.ZodType, examples?: Json): Json {
  return { "application/json": { schema: { $ref: referenceTo(componentOf(schema)) }, examples } };
}
