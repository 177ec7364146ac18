import { describe, expect, test } from "vitest";
import { breakingChanges } from "../src/breaking-changes.ts";
import { changesBy, create, editedDocument, list, schemas, text } from "./edited-document.ts";

describe("breaking in a response", () => {
  test.each([
    ["a success is removed", { [`${create}/responses/201`]: undefined }, "POST /pets, response 201: was removed"],
    ["another success is new", { [`${create}/responses/202`]: {} }, "POST /pets, response 202: is new"],
    [
      "a required property is removed",
      { [`${schemas}/Pet/properties/categoryId`]: undefined, [`${schemas}/Pet/required/2`]: undefined },
      "GET /pets, response 200, and 2 more: Pet.categoryId: was removed",
    ],
    [
      "a property may be absent",
      { [`${schemas}/Pet/required/3`]: undefined },
      "GET /pets, response 200, and 2 more: Pet.status: is no longer always present",
    ],
    [
      "a type is wider",
      { [`${schemas}/Pet/properties/name/type`]: ["string", "null"] },
      'GET /pets, response 200, and 2 more: Pet.name: type was "string", is ["string","null"]',
    ],
    [
      "a limit is wider",
      { [`${schemas}/Pet/properties/name/maxLength`]: 1000 },
      "GET /pets, response 200, and 2 more: Pet.name: maxLength was 255, is 1000",
    ],
    [
      "a format changes",
      { [`${schemas}/Pet/properties/id/format`]: undefined },
      'GET /pets, response 200, and 2 more: Pet.id: format was "int64", is absent',
    ],
    [
      "a closed list is longer",
      { [`${schemas}/PetStatus/enum/-`]: "reserved" },
      'GET /pets, response 200, and 2 more: PetStatus: may now be "reserved"',
    ],
    [
      "a closed list is open",
      { [`${schemas}/PetStatus/enum`]: undefined },
      "GET /pets, response 200, and 2 more: PetStatus: may now be any value",
    ],
    [
      "a header is removed",
      { [`${list}/responses/200/headers/Link`]: undefined },
      "GET /pets, response 200: header Link: was removed",
    ],
    [
      "a header has another type",
      { "/components/headers/Location/schema/type": "integer" },
      'POST /pets, response 201: Location: type was "string", is "integer"',
    ],
    [
      "a header has another style",
      { "/components/headers/Location/explode": true },
      "POST /pets, response 201: Location: explode was absent, is true",
    ],
    [
      "a body has another encoding",
      { [`${list}/responses/200/content/application~1json/encoding`]: {} },
      "GET /pets, response 200: encoding was absent, is {}",
    ],
    [
      "another media type is possible",
      { [`${list}/responses/200/content/text~1csv`]: {} },
      "GET /pets, response 200: text/csv is new",
    ],
    [
      "an unknown member appears",
      { [`${list}/responses/200/links`]: { next: {} } },
      'GET /pets, response 200: links was absent, is {"next":{}}',
    ],
  ])("%s", (_change, edits, line) => {
    expect(changesBy(edits)).toEqual([line]);
  });

  test("a list has other items", () => {
    const gone = ["id", "name", "categoryId", "status"].map((name) => `Pets[].${name}: was removed`);
    const lines = ['Pets[]: type was "object", is "string"', ...gone].map((line) => `GET /pets, response 200: ${line}`);
    expect(changesBy({ [`${schemas}/Pets/items`]: text })).toEqual(lines);
  });

  test("a new value of a closed list is reported once, even if the list is used in many places", () => {
    const codes = `${schemas}/Error/properties/code/enum`;
    const current = editedDocument({ [codes]: ["coffee_pot", "teapot"] });
    expect(breakingChanges(editedDocument({ [codes]: ["coffee_pot"] }), current)).toEqual([
      expect.stringMatching(/^GET \/pets, response 400, and \d+ more: Error\.code: may now be "teapot"$/),
    ]);
  });
});

describe("breaking a guarantee", () => {
  test("a header is no longer required", () => {
    const location = "/components/headers/Location/required";
    const changes = breakingChanges(editedDocument({ [location]: true }), editedDocument({ [location]: undefined }));
    expect(changes).toEqual(["POST /pets, response 201: Location: is no longer always present"]);
  });

  test("a property is added to a closed object", () => {
    const closed = { [`${schemas}/Pet/additionalProperties`]: false };
    const current = editedDocument({ ...closed, [`${schemas}/Pet/properties/age`]: text });
    expect(breakingChanges(editedDocument(closed), current)).toEqual([
      "GET /pets, response 200, and 2 more: Pet.age: is new, but additionalProperties already describes other properties",
    ]);
  });
});

test("a recursive schema is compared once", () => {
  const mother = { [`${schemas}/Pet/properties/mother`]: { $ref: "#/components/schemas/Pet" } };
  const kittens = { [`${schemas}/Pet/allOf`]: [{ properties: { kittens: { $ref: "#/components/schemas/Pet" } } }] };
  const family = editedDocument({ ...mother, ...kittens });
  const anonymous = editedDocument({ ...mother, ...kittens, [`${schemas}/Pet/properties/name/maxLength`]: 256 });
  expect(breakingChanges(family, family)).toEqual([]);
  expect(breakingChanges(family, anonymous)).toContain(
    "GET /pets, response 200, and 2 more: Pet.name: maxLength was 255, is 256",
  );
});
