import type { Operation } from "@petstore/contract/contract";
import { toProblems } from "@petstore/contract/problems";
import { invalidRequest, type RequestPart } from "./http-error.ts";

/**
 * Checks the parts of a request with the schemas of the contract, and returns them with defaults
 * filled in.
 *
 * @throws {HttpError} 400 naming every invalid field
 */
export function checkInput(operation: Operation, given: Readonly<Record<RequestPart, unknown>>) {
  const params = operation.pathParams?.safeParse(given.params);
  const query = operation.query?.safeParse(given.query);
  const headers = operation.headers?.safeParse(given.headers);
  const body = operation.body?.safeParse(given.body);
  if (params?.error || query?.error || headers?.error || body?.error)
    throw invalidRequest({
      params: toProblems(params?.error?.issues),
      query: toProblems(query?.error?.issues),
      headers: toProblems(headers?.error?.issues),
      body: toProblems(body?.error?.issues),
    });
  return { params: params?.data, query: query?.data, headers: headers?.data, body: body?.data };
}
