import { z } from "zod";
import { apiVersion, contract, type OperationMetadata } from "./contract.ts";
import { errorSchema } from "./error.ts";
import { answerHeaders, answers, errorExamples, headers } from "./openapi-answers.ts";
import { introduction } from "./openapi-introduction.ts";
import { ordersSchema } from "./order.ts";
import { newPetSchema, petsSchema } from "./pet.ts";
import { basePath } from "./values.ts";

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
  const operations = Object.entries<Route>(contract).map(([name, route]) => toOperation(name, route));
  const parameters = repeated(operations.flatMap((operation) => operation.parameters));
  const responses = repeated(operations.flatMap((operation) => operation.responses));
  return {
    openapi: "3.1.1",
    info: {
      title: "Petstore",
      version: apiVersion,
      summary: "A catalogue of animals up for adoption.",
      description: introduction,
      contact: { name: "The operator of this service" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: basePath }],
    security: [{ apiKey: [] }],
    tags: [
      { name: "pets", description: "The catalogue of animals." },
      { name: "store", description: "Orders, as the operator's order system supplied them." },
    ],
    paths: toPaths(operations, { parameters, responses }),
    components: {
      securitySchemes: { apiKey: securityScheme },
      parameters: Object.fromEntries(parameters),
      headers,
      responses: Object.fromEntries(responses),
      schemas: componentSchemas(),
    },
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

/** A part of an operation that others may have too: under which name they could share it. */
interface Part {
  component: string;
  value: Json;
}

interface Operation {
  path: string;
  method: string;
  facts: Json;
  parameters: Part[];
  requestBody: Json;
  responses: (Part & { status: string })[];
}

function toOperation(name: string, route: Route): Operation {
  const metadata = route.metadata as OperationMetadata;
  return {
    path: pathTemplate(route.path),
    method: route.method.toLowerCase(),
    facts: {
      operationId: name,
      summary: route.summary,
      description: [route.description, ...furtherFacts(metadata)].join(" "),
      tags: [metadata.tag],
      ...(metadata.deprecation && { deprecated: true, "x-sunset": metadata.deprecation.sunset }),
      "x-stability": metadata.stability,
      "x-scope": metadata.scope,
    },
    parameters: [
      ...toParameters("path", route.pathParams),
      ...toParameters("query", route.query),
      ...toParameters("header", route.headers),
    ],
    requestBody: route.body ? { requestBody: { required: true, content: jsonContent(route.body) } } : {},
    responses: Object.entries(route.responses).map(([status, schema]) =>
      toResponse(status, schema, name, route, metadata),
    ),
  };
}

function furtherFacts({ scope, deprecation }: OperationMetadata): string[] {
  const removal = deprecation ? [`Removed on ${deprecation.sunset.slice(0, 10)}.`] : [];
  return [...removal, `The key needs the scope \`${scope}\`.`];
}

function toResponse(
  text: string,
  schema: unknown,
  name: string,
  route: Route,
  metadata: OperationMetadata,
): Operation["responses"][0] {
  const status = Number(text);
  const { component, description } = answers[status] ?? fail(`the status ${status} has no description`);
  const examples = status < 400 ? {} : { examples: errorExamples(status, route, metadata) };
  const value = {
    description,
    headers: answerHeaders(status, name, metadata),
    content: { "application/json": { ...jsonContent(schema)["application/json"], ...examples } },
  };
  return { status: text, component, value };
}

/** What stands in several operations, by name. What would have the name of another stays where it is. */
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
  operations: readonly Operation[],
  shared: Record<"parameters" | "responses", Map<string, Json>>,
): Record<string, Json> {
  const refer = (kind: keyof typeof shared, { component, value }: Part) =>
    JSON.stringify(shared[kind].get(component)) === JSON.stringify(value)
      ? { $ref: `#/components/${kind}/${component}` }
      : value;

  const paths: Record<string, Json> = {};
  for (const { path, method, facts, parameters, requestBody, responses } of operations) {
    const operation = {
      ...facts,
      ...(parameters.length > 0 && { parameters: parameters.map((part) => refer("parameters", part)) }),
      ...requestBody,
      responses: Object.fromEntries(responses.map((part) => [part.status, refer("responses", part)])),
    };
    paths[path] = { ...paths[path], [method]: operation };
  }
  return paths;
}

function toParameters(place: "path" | "query" | "header", schema: unknown): Part[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([key, property]) => {
    const { description, example, ...rest } = property as Json;
    const name = place === "header" ? headerName(key) : key;
    const value = { name, in: place, description, required: required.includes(key), schema: rest, example };
    return { component: capitalize(key), value };
  });
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
  // What has a name stands under it. The body of errors alone is met forty times.
  const { id } = z.globalRegistry.get(schema as z.ZodType) ?? {};
  if (id !== undefined) return { $ref: `#/components/schemas/${id}` };
  const { $schema: _dialect, $defs: _definitions, ...rest } = toJsonSchema(schema as z.ZodType);
  return rest;
}

function toJsonSchema(schema: z.ZodType): Json {
  const document = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return JSON.parse(JSON.stringify(document).replaceAll("#/$defs/", "#/components/schemas/")) as Json;
}

function jsonContent(schema: unknown) {
  return { "application/json": { schema: jsonSchema(schema) } };
}

function headerName(name: string): string {
  return name.split("-").map(capitalize).join("-");
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function fail(problem: string): never {
  throw new Error(`The OpenAPI document cannot be made: ${problem}`);
}

/** A path of the router as the document writes it: `/pets/{petId}`. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
