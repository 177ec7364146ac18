import { describe, expect, test } from "vitest";
import { breakingChanges } from "../src/breaking-changes.ts";
import { changesBy, create, editedDocument, get, list, readDocument, schemas, text } from "./edited-document.ts";

describe("compatible", () => {
  test.each<[change: string, edits: Record<string, unknown>]>([
    ["nothing", {}],
    ["descriptions", { "/info/description": "x", [`${list}/summary`]: "x", [`${schemas}/Pet/description`]: "x" }],
    ["the description of the security scheme", { "/components/securitySchemes/apiKey/description": "x" }],
    ["a deprecated property", { [`${schemas}/Pet/properties/name/deprecated`]: true }],
    ["a default in a response", { [`${schemas}/Pet/properties/name/default`]: "Rex" }],
    ["a number instead of an integer in a request", { [`${schemas}/NewPet/properties/categoryId/type`]: "number" }],
    ["examples", { [`${schemas}/Pet/examples`]: [], [`${schemas}/NewPet/properties/name/examples`]: ["Rex"] }],
    ["code samples and badges", { [`${list}/x-codeSamples`]: [], [`${list}/x-scalar-stability`]: "stable" }],
    ["the version and the tags", { "/info/version": "1.1.0", "/tags": [], [`${list}/tags`]: ["animals"] }],
    ["a new operation", { "/paths/~1dogs": { get: { operationId: "listDogs", responses: {} } } }],
    ["another address", { "/servers/-": { url: "https://petstore.example/v1" } }],
    ["a deprecation, with its sunset", { [`${list}/deprecated`]: true, [`${list}/x-sunset`]: "2031-01-01T00:00:00Z" }],
    ["a later sunset", { [`${get}/x-sunset`]: "2031-01-01T00:00:00Z" }],
    ["no authentication required", { [`${list}/security`]: [] }],
    ["another way to authenticate", { "/security/-": { other: [] } }],
    ["a new optional parameter", { [`${list}/parameters/-`]: { name: "age", in: "query", schema: text } }],
    ["a higher maximum of a parameter", { "/components/parameters/Limit/schema/maximum": 200 }],
    ["a new optional property of a request", { [`${schemas}/NewPet/properties/age`]: { type: "integer" } }],
    ["fewer required properties of a request", { [`${schemas}/NewPet/required`]: ["name"] }],
    ["a longer text in a request", { [`${schemas}/NewPet/properties/name/maxLength`]: 1000 }],
    ["another type in a request", { [`${schemas}/NewPet/properties/name/type`]: ["string", "null"] }],
    ["another media type of a request", { [`${create}/requestBody/content/application~1xml`]: {} }],
    ["an optional body", { [`${create}/requestBody/required`]: false }],
    ["a new property of a response", { [`${schemas}/Pet/properties/age`]: { type: "integer" } }],
    ["a shorter text in a response", { [`${schemas}/Pet/properties/name/maxLength`]: 100 }],
    ["a new error code", { [`${schemas}/Error/properties/code/examples/-`]: "teapot" }],
    ["a new header of a response", { [`${list}/responses/200/headers/X-Total`]: { schema: { type: "integer" } } }],
    ["a new error status", { [`${list}/responses/418`]: { description: "x" } }],
    ["an error that no longer happens", { [`${list}/responses/417`]: undefined }],
    ["values in another order", { [`${schemas}/PetStatus/enum`]: ["sold", "pending", "available"] }],
    ["anything in an experimental operation", { "/paths/~1store~1orders/get": { responses: {} } }],
    ["an experimental operation removed", { "/paths/~1store~1orders": undefined }],
  ])("%s", (_change, edits) => {
    expect(changesBy(edits)).toEqual([]);
  });

  test("fewer values in a response alone", () => {
    const codes = `${schemas}/Error/properties/code/enum`;
    const released = editedDocument({ [codes]: ["teapot", "coffee_pot"] });
    expect(breakingChanges(released, editedDocument({ [codes]: ["teapot"] }))).toEqual([]);
  });

  test("a component instead of an inline schema, and the reverse", () => {
    const document = readDocument();
    const name = { type: "string", minLength: 1, maxLength: 255 };
    const named = editedDocument({
      [`${schemas}/Name`]: name,
      [`${schemas}/Pet/properties/name`]: { $ref: "#/components/schemas/Name" },
      [`${schemas}/NewPet/properties/name`]: { $ref: "#/components/schemas/Name" },
    });
    expect(breakingChanges(document, named)).toEqual([]);
    expect(breakingChanges(named, document)).toEqual([]);
  });
});
