import { describe, expect, test } from "vitest";
import { changesBy, create, get, list, schemas, text } from "./edited-document.ts";

describe("breaking for every caller", () => {
  test.each([
    ["a path is removed", { "/paths/~1pets~1{petId}": undefined }, "GET /pets/{petId}: was removed"],
    ["a method is removed", { [create]: undefined }, "POST /pets: was removed"],
    ["the base path changes", { "/servers/0/url": "/v2" }, "servers: /v1 was removed"],
    [
      "an operation is renamed",
      { [`${list}/operationId`]: "findPets" },
      'GET /pets: operationId was "listPets", is "findPets"',
    ],
    ["another scope is required", { [`${list}/x-scope`]: "orders" }, 'GET /pets: x-scope was "read", is "orders"'],
    [
      "an operation becomes experimental",
      { [`${list}/x-stability`]: "experimental" },
      'GET /pets: x-stability was "stable", is "experimental"',
    ],
    [
      "a deprecated operation is removed earlier",
      { [`${get}/x-sunset`]: "2029-12-05T00:00:00Z" },
      "GET /pets/{petId}: will be removed earlier: x-sunset was 2030-12-05T00:00:00Z, is 2029-12-05T00:00:00Z",
    ],
    [
      "an operation gets its own security",
      { [`${list}/security`]: [{ apiKey: [], other: [] }] },
      "GET /pets: authentication changed",
    ],
    [
      "an unknown member appears",
      { [`${list}/servers`]: [{ url: "/v2" }] },
      'GET /pets: servers was absent, is [{"url":"/v2"}]',
    ],
  ])("%s", (_change, edits, line) => {
    expect(changesBy(edits)).toEqual([line]);
  });

  test("the security scheme changes", () => {
    const changes = changesBy({ "/components/securitySchemes/apiKey/scheme": "basic" });
    expect(changes).toContain("POST /pets: authentication changed");
  });
});

describe("breaking in a request", () => {
  test.each([
    ["a parameter is removed", { [`${list}/parameters/1`]: undefined }, "GET /pets, query status: was removed"],
    ["a parameter moves", { [`${list}/parameters/1/in`]: "header" }, "GET /pets, query status: was removed"],
    [
      "a parameter is required",
      { [`${list}/parameters/1/required`]: true },
      "GET /pets, query status: is now required",
    ],
    [
      "a new parameter is required",
      { [`${list}/parameters/-`]: { name: "age", in: "query", required: true, schema: text } },
      "GET /pets, query age: is new and required",
    ],
    [
      "a parameter has another style",
      { [`${list}/parameters/1/style`]: "spaceDelimited" },
      'GET /pets, query status: style was absent, is "spaceDelimited"',
    ],
    [
      "a shared parameter has a lower maximum",
      { "/components/parameters/Limit/schema/maximum": 50 },
      "GET /pets, query limit: Limit: maximum was 100, is 50",
    ],
    [
      "a default changes",
      { "/components/parameters/Limit/schema/default": 50 },
      "GET /pets, query limit: Limit: default was 20, is 50",
    ],
    [
      "a pattern changes",
      { [`${create}/parameters/0/schema/pattern`]: "^[a-z]+$" },
      String.raw`POST /pets, header Idempotency-Key: pattern was "^[\\x20-\\x7e]{1,255}$", is "^[a-z]+$"`,
    ],
    [
      "a pattern is new",
      { "/components/parameters/Cursor/schema/pattern": "^c" },
      'GET /pets, query cursor: Cursor: pattern was absent, is "^c"',
    ],
    [
      "the format of a parameter changes",
      { [`${get}/parameters/0/schema/format`]: "int32" },
      'GET /pets/{petId}, path petId: format was "int64", is "int32"',
    ],
    [
      "a property is removed",
      { [`${schemas}/NewPet/properties/status`]: undefined },
      "POST /pets, request body: NewPet.status: was removed",
    ],
    [
      "a property is required",
      { [`${schemas}/NewPet/required/-`]: "status" },
      "POST /pets, request body: NewPet.status: is now required",
    ],
    [
      "a new property is required",
      { [`${schemas}/NewPet/properties/age`]: { type: "integer" }, [`${schemas}/NewPet/required/-`]: "age" },
      "POST /pets, request body: NewPet.age: is now required",
    ],
    [
      "a type changes",
      { [`${schemas}/NewPet/properties/name/type`]: "object" },
      'POST /pets, request body: NewPet.name: type was "string", is "object"',
    ],
    [
      "a type is narrower",
      { [`${schemas}/NewPet/properties/name/minLength`]: 2 },
      "POST /pets, request body: NewPet.name: minLength was 1, is 2",
    ],
    [
      "values are restricted to a list",
      { [`${schemas}/NewPet/properties/name/enum`]: ["Rex"] },
      "POST /pets, request body: NewPet.name: now accepts only listed values",
    ],
    [
      "unknown properties are rejected",
      { [`${schemas}/NewPet/additionalProperties`]: false },
      "POST /pets, request body: NewPet: additionalProperties was absent, is false",
    ],
    [
      "an unknown keyword appears",
      { [`${schemas}/NewPet/oneOf`]: [{ $ref: "#/components/schemas/Pet" }] },
      'POST /pets, request body: NewPet: oneOf was absent, is [{"$ref":"#/components/schemas/Pet"}]',
    ],
    [
      "an unknown member of a body appears",
      { [`${create}/requestBody/x-signed`]: true },
      "POST /pets, request body: x-signed was absent, is true",
    ],
    [
      "a body can no longer be JSON",
      { [`${create}/requestBody/content`]: { "application/xml": {} } },
      "POST /pets, request body: application/json was removed",
    ],
  ])("%s", (_change, edits, line) => {
    expect(changesBy(edits)).toEqual([line]);
  });

  test("a new parameter of a path is required", () => {
    const age = { name: "age", in: "query", required: true, schema: text };
    const lines = ["GET", "POST"].map((method) => `${method} /pets, query age: is new and required`);
    expect(changesBy({ "/paths/~1pets/parameters": [age] })).toEqual(lines);
  });
});
