import { contract, operations, type OperationName } from "@petstore/contract";
import { assert, constantFrom, dictionary, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";
import { checkInput } from "../src/input.ts";
import { invalidRequest, Refusal, type RequestPart } from "../src/refusal.ts";

const names = Object.keys(operations) as OperationName[];

/** Values that are valid, or almost valid, for some field. */
const value = oneof(
  constantFrom("5", "0", "100", "101", "sold", "Sold", "", "a", " ", undefined, null),
  constantFrom(7, 2n ** 63n, -(2n ** 63n), 2 ** 53, 0.5, NaN, ["5"], ["5", "6"], {}, true),
  string(),
);

const fields = dictionary(
  constantFrom("limit", "status", "cursor", "name", "categoryId", "petId", "idempotency-key", "__proto__", "other"),
  value,
);

/** The result of ts-rest for the same parts, using the schemas of the contract. */
function checkBySchemas(name: OperationName, given: Record<RequestPart, unknown>): unknown {
  const { pathParams, query, headers, body } = contract[name] as unknown as Record<string, z.ZodType | undefined>;
  const read = { params: pathParams, query, headers, body };
  const results = Object.entries(read).map(([part, schema]) => [part, schema?.safeParse(given[part as RequestPart])]);
  const checked = Object.fromEntries(results) as Record<RequestPart, z.ZodSafeParseResult<unknown> | undefined>;
  const problems = (part: RequestPart) =>
    checked[part]?.error?.issues.map(({ path, message }) => ({ field: path.join("."), must: message }));
  if (Object.values(checked).some((each) => each?.success === false)) {
    return invalidRequest({
      params: problems("params"),
      query: problems("query"),
      headers: problems("headers"),
      body: problems("body"),
    }).message;
  }
  return Object.fromEntries(Object.entries(checked).map(([part, result]) => [part, result?.data]));
}

test.for(names)("checkInput and the schemas of the contract agree on requests of %s", (name) => {
  assert(
    property(fields, fields, fields, oneof(fields, value), (params, query, headers, body) => {
      const given = { params: { petId: "1", ...params }, query, headers, body };
      let checked: unknown;
      try {
        checked = checkInput(operations[name], given);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        checked = error.message;
      }
      expect(checked).toEqual(checkBySchemas(name, given));
    }),
    { numRuns: 2_000 },
  );
});
