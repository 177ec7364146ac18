import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  errorCodes,
  errors,
  errorSchema,
  newPetSchema,
  operations as declared,
  orderSchema,
  ordersSchema,
  petChangesSchema,
  petSchema,
  petsSchema,
  responseHeaderNames,
  type OperationName,
} from "../src/index.ts";

const text = readFileSync(new URL("../openapi.json", import.meta.url), "utf8");

interface Schema {
  pattern?: string;
  const?: unknown;
  type?: string;
  enum?: string[];
  examples?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}

interface Response {
  headers: Record<string, { $ref: string }>;
  content: {
    "application/json": { schema: { $ref: string }; examples?: Record<string, { value: unknown }> };
  };
}

interface Operation {
  operationId: string;
  description: string;
  parameters?: object[];
  requestBody?: { content: Response["content"] };
  responses: Record<string, object>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
    headers: Record<string, { required?: true; schema: Schema; example: unknown }>;
    schemas: Record<string, Schema>;
  };
}

// `pnpm check` checks that the file is up to date, and linters that it is valid OpenAPI 3.1. These
// tests check its content.
const document = JSON.parse(text) as Document;
const { schemas, headers: components } = document.components;

/**
 * Each operation of the contract with its entry in the document, references to components resolved.
 */
const operations = Object.entries(declared).map(([name, route]) => {
  const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
  const method = route.method.toLowerCase();
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`The document has no ${method} of ${path}`);
  const operation = {
    ...found,
    parameters: (found.parameters ?? []).map((part) => resolved(part) as Parameter),
    responses: Object.fromEntries(
      Object.entries(found.responses).map(([status, part]) => [status, resolved(part) as Response]),
    ),
  };
  return { name, route, operation };
});

/** The component that `part` refers to, or `part` itself. */
function resolved(part: object): unknown {
  if (!("$ref" in part)) return part;
  const [, , kind, name] = String(part.$ref).split("/") as [
    "#",
    "components",
    "parameters" | "responses",
    string,
  ];
  return document.components[kind][name];
}

test("the schemas have the fields and values of the specification", () => {
  expect(schemas["NewPet"]?.required).toStrictEqual(["name", "categoryId"]);
  expect(schemas["Pet"]?.required).toStrictEqual(["id", "name", "categoryId", "status"]);
  expect(schemas["Order"]?.required).toStrictEqual(["id"]);
  expect(schemas["Error"]?.required).toStrictEqual(["code", "message", "status"]);
  const { enum: closed, examples } = schemas["Error"]?.properties?.["code"] ?? {};
  expect([closed, examples]).toStrictEqual([undefined, Object.keys(errors)]);
  expect(schemas["PetStatus"]?.enum).toStrictEqual(["available", "pending", "sold"]);
});

test.each([
  ["NewPet", "categoryId"],
  ["Pet", "categoryId"],
  ["Pet", "id"],
  ["Order", "id"],
])("%s.%s is an integer of 64 bits", (schema, property) => {
  const integer = { type: "integer", format: "int64" };
  expect(schemas[schema]?.properties?.[property]).toMatchObject(integer);
});

test("the status of a NewPet has its default in words only", () => {
  // Client generators make a field with a default required.
  const status = schemas["NewPet"]?.properties?.["status"];
  expect(status).not.toHaveProperty("default");
  expect(status).toMatchObject({
    description: expect.stringContaining("Defaults to `available`."),
  });
});

describe.each(operations)("$name", ({ name, route, operation }) => {
  const { tag, stability, scope, deprecation } = route.metadata;
  const responses = Object.entries(operation.responses);

  test("is listed under its method and path, with its tag, stability and scope", () => {
    const announced = deprecation && { deprecated: true, "x-sunset": deprecation.sunset };
    const badge = stability === "experimental" && { "x-scalar-stability": stability };
    expect(operation).toMatchObject({
      operationId: name,
      tags: [tag],
      "x-stability": stability,
      "x-scope": scope,
    });
    expect(operation).toMatchObject({ ...announced, ...badge });
    expect("deprecated" in operation).toBe(deprecation !== undefined);
  });

  test("has the responses of the contract, all with X-Request-Id", () => {
    expect(responses.map(([status]) => status)).toStrictEqual(Object.keys(route.responses));
    expect(responses.filter(([, { headers }]) => !("X-Request-Id" in headers))).toStrictEqual([]);
  });

  test.each([
    ["401", "WWW-Authenticate"],
    ["403", "WWW-Authenticate"],
    ["429", "Retry-After"],
    ["503", "Retry-After"],
  ])("%s says what to do in the header %s", (status, header) => {
    const { $ref } = operation.responses[status]?.headers[header] ?? {};
    expect($ref).toBe(`#/components/headers/${header}`);
    expect(components[header]?.required).toBe(true);
  });

  test.each(responses.filter(([status]) => Number(status) >= 400))(
    "%s has an example of each error",
    (status, response) => {
      const { schema, examples = {} } = response.content["application/json"];
      expect(schema.$ref).toBe("#/components/schemas/Error");
      const hasCondition = "ifStatus" in (declared[name as OperationName].query?.shape ?? {});
      const hasReference = "reference" in (declared[name as OperationName].body?.shape ?? {});
      const others = [
        "route_not_found",
        ...(hasCondition ? [] : ["status_changed"]),
        ...(hasReference ? [] : ["reference_taken"]),
      ];
      const codes = errorCodes.filter(
        (code) => errors[code].status === Number(status) && !others.includes(code),
      );
      expect(Object.keys(examples)).toStrictEqual(codes);
      for (const [code, { value }] of Object.entries(examples)) {
        expect(value).toStrictEqual({ ...errorSchema.parse(value), code, status: Number(status) });
        // a detail that is missing
        expect(errorSchema.parse(value).message).not.toMatch(/ {2}|"{2}|undefined/);
      }
    },
  );
});

test.each([
  [
    "listPets",
    {
      "query limit": { type: "integer", minimum: 1, maximum: 100, default: 20 },
      "query categoryId": { type: "integer", format: "int64" },
      "query status": { $ref: "#/components/schemas/PetStatus" },
      "query reference": { type: "string", minLength: 1, maxLength: 255 },
      "query cursor": { minLength: 1 },
    },
  ],
  [
    "updatePet",
    {
      "path petId": { type: "integer", format: "int64" },
      "query ifStatus": { $ref: "#/components/schemas/PetStatus" },
      "header Idempotency-Key": { type: "string", pattern: "^[ -~]{1,255}$" },
    },
  ],
])("%s declares its parameters, and requires only those in its path", (name, expected) => {
  const { parameters } = operationNamed(name);
  const declaredSchemas = parameters.map((parameter) => [
    `${parameter.in} ${parameter.name}`,
    parameter.schema,
  ]);
  expect(Object.fromEntries(declaredSchemas)).toStrictEqual(expected);
  expect(parameters.filter(({ required }) => required)).toEqual(
    parameters.filter((each) => each.in === "path"),
  );
});

test("createPet requires a NewPet as its body, createPets a PetBatch, updatePet PetChanges, and the other operations have no body", () => {
  const bodies = operations.flatMap(({ name, operation: { requestBody } }) =>
    requestBody ? [[name, requestBody.content["application/json"].schema.$ref]] : [],
  );
  expect(bodies).toStrictEqual([
    ["createPet", "#/components/schemas/NewPet"],
    ["createPets", "#/components/schemas/PetBatch"],
    ["updatePet", "#/components/schemas/PetChanges"],
  ]);
});

test.each([
  ["NewPet", newPetSchema],
  ["Pet", petSchema],
  ["PetChanges", petChangesSchema],
  ["Pets", petsSchema],
  ["Order", orderSchema],
  ["Orders", ordersSchema],
])("the example of %s is valid", (name, schema) => {
  const { examples = [] } = schemas[name] ?? {};
  expect(examples).toHaveLength(1);
  expect(examples.map((example) => schema.parse(example))).toStrictEqual(examples);
});

test.each(Object.entries(components))(
  "the example of the header %s is valid",
  (_name, { schema, example }) => {
    expect(typeof example).toBe(schema.type === "integer" ? "number" : "string");
    expect(String(example)).toMatch(new RegExp(schema.pattern ?? ".", "u"));
    expect([example, undefined]).toContain(schema.const);
  },
);

test("the examples of the headers of getPet have the dates of its description", () => {
  expect(operationNamed("getPet").description).toContain("It will be removed on 2030-12-05.");
  expect(components).toMatchObject({
    Deprecation: { example: "@1795132800" },
    Sunset: { example: "Thu, 05 Dec 2030 00:00:00 GMT" },
    Successor: { example: '<../pets>; rel="successor-version"' },
  });
});

test("responseHeaderNames lists exactly the headers of the responses", () => {
  const sent = operations.flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap((response) => Object.keys(response.headers)),
  );
  expect(new Set(responseHeaderNames)).toStrictEqual(new Set(sent));
});

function operationNamed(name: string): (typeof operations)[number]["operation"] {
  const found = operations.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no operation ${name}`);
  return found.operation;
}
