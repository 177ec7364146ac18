import { pickFields, problemsOf, type Fields } from "@petstore/contract/fields";
import type { Operation } from "@petstore/contract/operations";
import { invalidRequest, type RequestPart } from "./refusal.ts";

/**
 * Checks the parts of a request by what the contract declares, without a schema library, and returns them as a handler takes them.
 *
 * @throws {Refusal} 400 naming every field that is wrong
 */
export function checkInput(
  operation: Operation,
  given: Readonly<Record<RequestPart, unknown>>,
): Record<RequestPart, Record<string, unknown> | undefined> {
  const problems = eachPart((part) => {
    const fields = operation[part]?.fields;
    return fields && problemsOf(fields, given[part]);
  });
  if (Object.values(problems).some((found) => found !== undefined && found.length > 0)) throw invalidRequest(problems);
  return eachPart((part) => {
    const fields: Fields | undefined = operation[part]?.fields;
    return fields && pickFields(fields, given[part] as object);
  });
}

function eachPart<Result>(read: (part: RequestPart) => Result): Record<RequestPart, Result> {
  return { params: read("params"), query: read("query"), headers: read("headers"), body: read("body") };
}
