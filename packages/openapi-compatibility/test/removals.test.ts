import { expect, test } from "vitest";
import { breakingChanges } from "../src/breaking-changes.ts";
import { editedDocument, pointersOf, readDocument } from "./edited-document.ts";

/** What no program misses. */
const dispensable = [
  // Documentation
  /^\/(openapi|info|tags)(\/|$)/,
  /\/(description|summary|examples?)(\/|$)/,
  /^\/paths\/[^/]+\/\w+\/(tags|deprecated|x-sunset|x-codeSamples)(\/|$)/,
  // What is experimental
  /^\/paths\/~1store~1orders(\/|$)/,
  /^\/components\/schemas\/Orders?(\/|$)/,
  // What restricts requests: without it they may be as they were
  /^\/security(\/|$)/,
  /\/parameters\/\w+\/(required|schema|schema\/(\$ref|type|minimum|maximum|minLength|pattern))$/,
  /\/requestBody\/required$/,
  /^\/components\/schemas\/NewPet\/(type|required(\/\d+)?|properties\/(\w+\/(type|minLength|maxLength)|status\/\$ref))$/,
  // Errors that no longer happen
  /^\/paths\/[^/]+\/\w+\/responses\/[45]\d\d$/,
  /^\/components\/schemas\/Error\/properties\/code\/enum\/\d+$/,
];

test("everything else that is taken out of the document is found", () => {
  const document = readDocument();
  const needed = pointersOf(document).filter((pointer) => !dispensable.some((pattern) => pattern.test(pointer)));
  const missed = needed.filter((pointer) => {
    const without = editedDocument({ [pointer]: undefined });
    return breakingChanges(document, without).length === 0;
  });
  expect(needed.length).toBeGreaterThan(100);
  expect(missed).toEqual([]);
});
