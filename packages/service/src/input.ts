import { pickFields, problemsOf, type Fields } from "@petstore/contract/fields";
import type { Operation } from "@petstore/contract/operations";
import { invalidRequest, type RequestPart } from "./refusal.ts";

/**
 * Checks the parts of a request against the contract, without a schema library, and returns them with defaults filled in.
 *
 * @throws {Refusal} 400 naming every invalid field
 */
export function checkInput(operation: Operation, given: Readonly<Record<RequestPart, unknown>>) {
  const problems = eachPart(operation, (fields, part) => problemsOf(fields, given[part]));
  if (Object.values(problems).some((found) => found !== undefined && found.length > 0)) throw invalidRequest(problems);
  return eachPart(operation, (fields, part) => pickFields(fields, given[part] as object));
}

function eachPart<Result>(operation: Operation, read: (fields: Fields, part: RequestPart) => Result) {
  const of = (part: RequestPart) => operation[part] && read(operation[part].fields, part);
  return { params: of("params"), query: of("query"), headers: of("headers"), body: of("body") };
}
