import { expect, test } from "vitest";
import { breakingChanges } from "../src/breaking-changes.ts";
import { editedDocument, pointersOf, readDocument } from "./edited-document.ts";

/** Values that can be removed without breaking a program. */
const optional = [
  // Documentation
  /^\/(openapi|info|tags)(\/|$)/,
  /\/(description|summary|examples?)(\/|$)/,
  /^\/paths\/[^/]+\/\w+\/(tags|deprecated|x-sunset|x-codeSamples)(\/|$)/,
  // Experimental operations
  /^\/paths\/~1store~1orders(\/|$)/,
  /^\/components\/schemas\/Orders?(\/|$)/,
  // Restrictions of requests: without them, existing requests stay valid
  /^\/security(\/|$)/,
  /\/parameters\/\w+\/(required|schema|schema\/(\$ref|type|minimum|maximum|minLength|pattern))$/,
  /\/requestBody\/required$/,
  /^\/components\/schemas\/NewPet\/(type|required(\/\d+)?|properties\/(\w+\/(type|minLength|maxLength)|status\/\$ref))$/,
  // Errors that no longer happen
  /^\/paths\/[^/]+\/\w+\/responses\/[45]\d\d$/,
  /^\/components\/schemas\/Error\/properties\/code\/enum\/\d+$/,
];

test("the removal of any other value is a breaking change", () => {
  const document = readDocument();
  const needed = pointersOf(document).filter((pointer) => !optional.some((pattern) => pattern.test(pointer)));
  const missed = needed.filter((pointer) => {
    const without = editedDocument({ [pointer]: undefined });
    return breakingChanges(document, without).length === 0;
  });
  expect(needed.length).toBeGreaterThan(100);
  expect(missed).toEqual([]);
});
