import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  answerHeaderNames,
  contract,
  errorSchema,
  errorStatuses,
  newPetSchema,
  openApiText,
  orderSchema,
  ordersSchema,
  petSchema,
  petsSchema,
  type OperationMetadata,
} from "../src/index.ts";

const text = readFileSync(new URL("../openapi.json", import.meta.url), "utf8");

const reference = z.strictObject({ $ref: z.string().startsWith("#/components/") });

/** The part of JSON Schema that the document uses. */
const jsonSchema = z.strictObject({
  $ref: z.string().startsWith("#/components/schemas/").optional(),
  type: z.enum(["string", "integer", "object", "array"]).optional(),
  format: z.enum(["int32", "int64", "uri-reference"]).optional(),
  description: z.string().min(1).optional(),
  default: z.unknown().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.string()).min(1).optional(),
  examples: z.array(z.unknown()).min(1).optional(),
  minimum: z.int().optional(),
  maximum: z.int().optional(),
  minLength: z.int().nonnegative().optional(),
  maxLength: z.int().nonnegative().optional(),
  maxItems: z.int().nonnegative().optional(),
  pattern: z
    .string()
    .refine((pattern) => new RegExp(pattern, "u"))
    .optional(),
  required: z.array(z.string()).min(1).optional(),
  get properties() {
    return z.record(z.string(), jsonSchema).optional();
  },
  get items() {
    return jsonSchema.optional();
  },
  get additionalProperties() {
    return jsonSchema.optional();
  },
});

const content = z.strictObject({
  "application/json": z.strictObject({
    schema: reference,
    examples: z.record(z.string(), z.strictObject({ value: z.unknown() })).optional(),
  }),
});

const parameterSchema = z.strictObject({
  name: z.string().min(1),
  in: z.enum(["path", "query", "header"]),
  description: z.string().min(1),
  required: z.boolean(),
  schema: jsonSchema,
  example: z.literal(1).optional(),
});

const responseSchema = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), reference),
  content,
});

const operationSchema = z.strictObject({
  operationId: z.string().min(1),
  summary: z.string().min(1),
  description: z.string().min(1),
  tags: z.tuple([z.enum(["pets", "store"])]),
  deprecated: z.literal(true).optional(),
  "x-sunset": z.iso.datetime().optional(),
  "x-stability": z.enum(["stable", "experimental"]),
  "x-scope": z.enum(["read", "write", "orders"]),
  parameters: z.array(z.union([parameterSchema, reference])).optional(),
  requestBody: z.strictObject({ required: z.literal(true), content }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), z.union([responseSchema, reference])),
});

const componentName = z.string().regex(/^[\w.-]+$/);

/** The part of OpenAPI 3.1 that the document uses, and nothing beside it. */
const documentSchema = z.strictObject({
  openapi: z.literal("3.1.1"),
  info: z.strictObject({
    title: z.literal("Petstore"),
    version: z.literal("1.0.0"),
    summary: z.string().min(1),
    description: z.string().min(1),
    contact: z.strictObject({ name: z.string().min(1) }),
    license: z.strictObject({ name: z.literal("MIT"), identifier: z.literal("MIT") }),
  }),
  servers: z.tuple([z.strictObject({ url: z.literal("/v1") })]),
  security: z.tuple([z.strictObject({ apiKey: z.tuple([]) })]),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string().min(1) })),
  paths: z.record(
    z.string().startsWith("/"),
    z.strictObject({ get: operationSchema.optional(), post: operationSchema.optional() }),
  ),
  components: z.strictObject({
    securitySchemes: z.strictObject({
      apiKey: z.strictObject({ type: z.literal("http"), scheme: z.literal("bearer"), description: z.string().min(1) }),
    }),
    parameters: z.record(componentName, parameterSchema),
    headers: z.record(
      componentName,
      z.strictObject({
        description: z.string().min(1),
        required: z.literal(true).optional(),
        schema: jsonSchema,
        example: z.unknown(),
      }),
    ),
    responses: z.record(componentName, responseSchema),
    schemas: z.record(componentName, jsonSchema),
  }),
});

const document = JSON.parse(text) as z.output<typeof documentSchema>;
const { schemas, headers: components } = document.components;

/** Where each operation of the contract stands in the document, with its shared parts in their place. */
const operations = Object.entries(contract).map(([name, route]) => {
  const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
  const method = route.method === "GET" ? "get" : "post";
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`The document has no ${method} of ${path}`);
  const operation = {
    ...found,
    parameters: (found.parameters ?? []).map((part) => parameterSchema.parse(resolved(part))),
    responses: Object.fromEntries(
      Object.entries(found.responses).map(([status, part]) => [status, responseSchema.parse(resolved(part))]),
    ),
  };
  return { name, path, route, operation };
});

/** The component that `part` refers to, or `part` itself. */
function resolved(part: object): unknown {
  if (!("$ref" in part)) return part;
  const [, , kind, name] = String(part.$ref).split("/") as ["#", "components", "parameters" | "responses", string];
  return document.components[kind][name];
}

test("the file openapi.json is the document of this contract: `pnpm run generate` writes it", () => {
  expect(text).toBe(openApiText());
});

test("the file is indented by two spaces and ends with a line feed", () => {
  expect(text).toBe(`${JSON.stringify(document, null, 2)}\n`);
});

test("the document has the structure of OpenAPI 3.1", () => {
  expect(documentSchema.safeParse(document).error?.issues).toBeUndefined();
});

test("every reference leads to a component, and every component is referred to", () => {
  const { securitySchemes: _, ...kinds } = document.components;
  const expected = Object.entries(kinds).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
  );
  const references = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, target]) => target);
  expect(new Set(references)).toStrictEqual(new Set(expected));
});

test("the schemas are those of the specification, and orders", () => {
  expect(Object.keys(schemas)).toStrictEqual(["Error", "NewPet", "Order", "Orders", "Pet", "Pets", "PetStatus"]);
  expect(schemas["NewPet"]?.required).toStrictEqual(["name", "categoryId"]);
  expect(schemas["Pet"]?.required).toStrictEqual(["id", "name", "categoryId", "status"]);
  expect(schemas["Order"]?.required).toStrictEqual(["id"]);
  expect(schemas["Error"]?.required).toStrictEqual(["code", "message", "status"]);
  const { enum: closed, examples } = schemas["Error"]?.properties?.["code"] ?? {};
  expect([closed, examples]).toStrictEqual([undefined, Object.keys(errorStatuses)]);
  expect(schemas["PetStatus"]?.enum).toStrictEqual(["available", "pending", "sold"]);
  // Generators require what has a default.
  expect(schemas["NewPet"]?.properties?.["status"]).not.toHaveProperty("default");
  expect(schemas["NewPet"]?.properties?.["status"]?.description).toContain("`available` when omitted");
});

test.each([
  ["NewPet", "categoryId"],
  ["Pet", "categoryId"],
  ["Pet", "id"],
  ["Order", "id"],
])("%s.%s is an int64", (schema, property) => {
  expect(schemas[schema]?.properties?.[property]).toMatchObject({ type: "integer", format: "int64" });
});

test("the document has the operations of the contract and no other", () => {
  const found = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(found.map((operation) => operation?.operationId)).toStrictEqual(operations.map(({ name }) => name));
});

describe.each(operations)("$name", ({ name, path, route, operation }) => {
  const { tag, stability, scope, deprecation }: OperationMetadata = route.metadata;
  const responses = Object.entries(operation.responses);

  test("stands under its method and path, with its facts", () => {
    expect(operation).toMatchObject({ operationId: name, tags: [tag], "x-stability": stability, "x-scope": scope });
    expect(operation.deprecated).toBe(deprecation && true);
    expect(operation["x-sunset"]).toBe(deprecation?.sunset);
  });

  test("declares every parameter of its path as required, and no other parameter", () => {
    const required = operation.parameters.filter((parameter) => parameter.required);
    const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
    expect(required).toStrictEqual(inPath);
    expect(inPath.map((parameter) => `{${parameter.name}}`)).toStrictEqual(path.match(/\{\w+\}/g) ?? []);
  });

  test("has the answers of the contract, all with X-Request-Id", () => {
    expect(responses.map(([status]) => status)).toStrictEqual(Object.keys(route.responses));
    expect(responses.filter(([, { headers }]) => !("X-Request-Id" in headers))).toStrictEqual([]);
  });

  test("announces its deprecation on every answer given once its path is known, or on none", () => {
    const announcing = responses.filter(([, { headers }]) => "Deprecation" in headers && "Sunset" in headers);
    const silent = responses.filter(([, { headers }]) => !("Deprecation" in headers || "Sunset" in headers));
    const announced = responses.filter(([status]) => deprecation && status !== "431");
    expect(announcing).toStrictEqual(announced);
    expect(silent).toStrictEqual(responses.filter((response) => !announced.includes(response)));
  });

  test.each(responses.filter(([status]) => Number(status) >= 400))(
    "%s has an example of each of its errors",
    (status, answer) => {
      const { schema, examples = {} } = answer.content["application/json"];
      expect(schema.$ref).toBe("#/components/schemas/Error");
      const errors = Object.values(examples).map(({ value }) => errorSchema.strict().parse(value));
      const codes = Object.entries(errorStatuses)
        .filter(([code, of]) => of === Number(status) && code !== "route_not_found")
        .map(([code]) => code);
      expect(Object.keys(examples)).toStrictEqual(codes);
      expect(errors.map((error) => [error.code, error.status])).toStrictEqual(
        codes.map((code) => [code, Number(status)]),
      );
    },
  );

  test.each([
    ["401", "WWW-Authenticate"],
    ["403", "WWW-Authenticate"],
    ["429", "Retry-After"],
    ["503", "Retry-After"],
  ])("%s has %s", (status, header) => {
    const { $ref } = operation.responses[status]?.headers[header] ?? {};
    expect($ref).toBe(`#/components/headers/${header}`);
    expect(components[header]?.required).toBe(true);
  });
});

const limit = { type: "integer", minimum: 1, maximum: 100, default: 20 };
const cursor = { type: "string", minLength: 1 };

test.each([
  [
    "listPets",
    { "query limit": limit, "query status": { $ref: "#/components/schemas/PetStatus" }, "query cursor": cursor },
  ],
  ["createPet", { "header Idempotency-Key": { type: "string", pattern: "^[\\x20-\\x7e]{1,255}$" } }],
  ["getPet", { "path petId": { type: "integer", format: "int64" } }],
  ["listOrders", { "query limit": limit, "query cursor": cursor }],
])("%s takes its parameters", (name, expected) => {
  const parameters = operationNamed(name).parameters.map((parameter) => [
    `${parameter.in} ${parameter.name}`,
    parameter.schema,
  ]);
  expect(Object.fromEntries(parameters)).toStrictEqual(expected);
});

test.each([
  ["listPets", "200", "Pets", ["Link"]],
  ["createPet", "201", "Pet", ["Location", "Idempotent-Replayed"]],
  ["getPet", "200", "Pet", ["Deprecation", "Sunset", "Link"]],
  ["createPet", "409", "Error", ["Retry-After"]],
  ["createPet", "415", "Error", ["Accept-Encoding"]],
  ["listOrders", "200", "Orders", ["Link"]],
])("%s answers %s with %s", (name, status, schema, headers) => {
  const answer = operationNamed(name).responses[status];
  expect(answer?.content["application/json"].schema.$ref).toBe(`#/components/schemas/${schema}`);
  expect(Object.keys(answer?.headers ?? {})).toStrictEqual(["X-Request-Id", ...headers]);
});

test("createPet requires a NewPet as its body, and the others take none", () => {
  const bodies = operations.map(({ operation }) => operation.requestBody?.content["application/json"].schema.$ref);
  expect(bodies).toStrictEqual([undefined, "#/components/schemas/NewPet", undefined, undefined]);
});

test.each([
  ["NewPet", newPetSchema],
  ["Pet", petSchema],
  ["Pets", petsSchema],
  ["Order", orderSchema],
  ["Orders", ordersSchema],
])("%s has an example that is one", (name, schema) => {
  const { examples = [] } = schemas[name] ?? {};
  expect(examples).toHaveLength(1);
  expect(examples.map((example) => schema.parse(example))).toStrictEqual(examples);
});

test.each(Object.entries(components))("the example of the header %s is one", (_name, { schema, example }) => {
  expect(typeof example).toBe(schema.type === "integer" ? "number" : "string");
  expect(String(example)).toMatch(new RegExp(schema.pattern ?? ".", "u"));
  expect([example, undefined]).toContain(schema.const);
});

test("getPet says the same about its end as its headers do", () => {
  const { description } = operationNamed("getPet");
  expect(description).toContain("Removed on 2030-12-05.");
  expect(components).toMatchObject({
    Deprecation: { example: "@1795132800" },
    Sunset: { example: "Thu, 05 Dec 2030 00:00:00 GMT" },
    Successor: { example: '<../pets>; rel="successor-version"' },
  });
});

test("the names of the headers are those that are sent", () => {
  const sent = operations.flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap((response) => Object.keys(response.headers)),
  );
  expect(new Set(answerHeaderNames)).toStrictEqual(new Set(sent));
});

function operationNamed(name: string): (typeof operations)[number]["operation"] {
  const found = operations.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no operation ${name}`);
  return found.operation;
}
