import { describe, expect, test } from "vitest";
import { breakingChanges } from "../src/breaking-changes.ts";
import { changesBy, editedDocument } from "./edited-document.ts";

const list = "/paths/~1pets/get";
const create = "/paths/~1pets/post";
const schemas = "/components/schemas";
const text = { type: "string" };

describe("breaking in an answer", () => {
  test.each([
    ["a success is removed", { [`${create}/responses/201`]: undefined }, "POST /pets, answer 201: is gone"],
    ["another success is new", { [`${create}/responses/202`]: {} }, "POST /pets, answer 202: is new"],
    [
      "a property is removed",
      { [`${schemas}/Pet/properties/categoryId`]: undefined, [`${schemas}/Pet/required/2`]: undefined },
      "GET /pets, answer 200, and 2 more: Pet.categoryId: is gone",
    ],
    [
      "a property may be absent",
      { [`${schemas}/Pet/required/3`]: undefined },
      "GET /pets, answer 200, and 2 more: Pet.status: is no longer always there",
    ],
    [
      "a type is wider",
      { [`${schemas}/Pet/properties/name/type`]: ["string", "null"] },
      'GET /pets, answer 200, and 2 more: Pet.name: type was "string", is ["string","null"]',
    ],
    [
      "a limit is wider",
      { [`${schemas}/Pet/properties/name/maxLength`]: 1000 },
      "GET /pets, answer 200, and 2 more: Pet.name: maxLength was 255, is 1000",
    ],
    [
      "a format changes",
      { [`${schemas}/Pet/properties/id/format`]: undefined },
      'GET /pets, answer 200, and 2 more: Pet.id: format was "int64", is absent',
    ],
    [
      "a closed list is longer",
      { [`${schemas}/PetStatus/enum/-`]: "reserved" },
      'GET /pets, answer 200, and 2 more: PetStatus: may now be "reserved"',
    ],
    [
      "a closed list is open",
      { [`${schemas}/PetStatus/enum`]: undefined },
      "GET /pets, answer 200, and 2 more: PetStatus: may now be any value",
    ],
    [
      "a list has other items",
      { [`${schemas}/Pets/items`]: text },
      'GET /pets, answer 200: Pets[]: type was "object", is "string"',
    ],
    [
      "a header is removed",
      { [`${list}/responses/200/headers/Link`]: undefined },
      "GET /pets, answer 200: header Link: is gone",
    ],
    [
      "a header has another type",
      { "/components/headers/Location/schema/type": "integer" },
      'POST /pets, answer 201: Location: type was "string", is "integer"',
    ],
    [
      "a header is written otherwise",
      { "/components/headers/Location/explode": true },
      "POST /pets, answer 201: Location: explode was absent, is true",
    ],
    [
      "a body is written otherwise",
      { [`${list}/responses/200/content/application~1json/encoding`]: {} },
      "GET /pets, answer 200: encoding was absent, is {}",
    ],
    [
      "another media type is possible",
      { [`${list}/responses/200/content/text~1csv`]: {} },
      "GET /pets, answer 200: text/csv is new",
    ],
    [
      "an unknown member appears",
      { [`${list}/responses/200/links`]: { next: {} } },
      'GET /pets, answer 200: links was absent, is {"next":{}}',
    ],
  ])("%s", (_change, edits, line) => {
    expect(changesBy(edits)).toContain(line);
  });

  test("a new value of a closed list is one change, wherever it is answered", () => {
    const codes = `${schemas}/Error/properties/code/enum`;
    const current = editedDocument({ [codes]: ["coffee_pot", "teapot"] });
    expect(breakingChanges(editedDocument({ [codes]: ["coffee_pot"] }), current)).toEqual([
      expect.stringMatching(/^GET \/pets, answer 400, and \d+ more: Error\.code: may now be "teapot"$/),
    ]);
  });
});

describe("breaking what was promised", () => {
  test("a header is no longer required", () => {
    const location = "/components/headers/Location/required";
    const changes = breakingChanges(editedDocument({ [location]: true }), editedDocument({ [location]: undefined }));
    expect(changes).toEqual(["POST /pets, answer 201: Location: is no longer always there"]);
  });

  test("a property appears where there should be no other", () => {
    const closed = { [`${schemas}/Pet/additionalProperties`]: false };
    const current = editedDocument({ ...closed, [`${schemas}/Pet/properties/age`]: text });
    expect(breakingChanges(editedDocument(closed), current)).toEqual([
      "GET /pets, answer 200, and 2 more: Pet.age: is new where additionalProperties says what may come",
    ]);
  });

  test("a required property is gone: one change", () => {
    const edits = { [`${schemas}/Pet/properties/status`]: undefined, [`${schemas}/Pet/required/3`]: undefined };
    expect(changesBy(edits)).toEqual(["GET /pets, answer 200, and 2 more: Pet.status: is gone"]);
  });
});

test("a schema that contains itself is compared once", () => {
  const mother = { [`${schemas}/Pet/properties/mother`]: { $ref: "#/components/schemas/Pet" } };
  const kittens = { [`${schemas}/Pet/allOf`]: [{ properties: { kittens: { $ref: "#/components/schemas/Pet" } } }] };
  const family = editedDocument({ ...mother, ...kittens });
  const anonymous = editedDocument({ ...mother, ...kittens, [`${schemas}/Pet/properties/name/maxLength`]: 256 });
  expect(breakingChanges(family, family)).toEqual([]);
  expect(breakingChanges(family, anonymous)).toContain(
    "GET /pets, answer 200, and 2 more: Pet.name: maxLength was 255, is 256",
  );
});
