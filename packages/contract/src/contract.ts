import { initContract } from "@ts-rest/core";
import type { z } from "zod";
import { errors, type ErrorBody, type ErrorStatus } from "./errors.ts";
import type { InputOf, ValueOf } from "./fields.ts";
import { errorsOf, operations, type Operation, type OperationName } from "./operations.ts";
import { errorSchema, schemaOf } from "./schemas.ts";

/** A schema for each part of a request that the operation declares, under ts-rest's names. */
type Schemas<Declared extends Operation> = {
  [
    Part in keyof Declared & ("params" | "query" | "headers" | "body") as Part extends "params" ? "pathParams" : Part
  ]: z.ZodType<ValueOf<Declared[Part]>, InputOf<Declared[Part]>>;
};

type Route<Declared extends Operation> = Pick<Declared, "method" | "path" | "summary" | "description"> &
  Schemas<Declared> & {
    deprecated: boolean;
    responses: Record<Declared["success"]["status"], z.ZodType<ValueOf<Declared["success"]["body"]>>> &
      Record<ErrorStatus, z.ZodType<ErrorBody>>;
    metadata: Operation;
  };

/** The API as a ts-rest router, which the server implements. */
export const contract = initContract().router(
  Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, toRoute(operation)])) as {
    readonly [Name in OperationName]: Route<(typeof operations)[Name]>;
  },
  { strictStatusCodes: true },
);

function toRoute(operation: Operation): object {
  const { method, path, summary, description, deprecation, params, query, headers, body, success } = operation;
  return {
    method,
    path,
    summary,
    description,
    deprecated: deprecation !== undefined,
    ...(params && { pathParams: schemaOf(params) }),
    ...(query && { query: schemaOf(query) }),
    ...(headers && { headers: schemaOf(headers) }),
    ...(body && { body: schemaOf(body) }),
    responses: {
      [success.status]: schemaOf(success.body),
      ...Object.fromEntries(errorsOf(operation).map((code) => [errors[code].status, errorSchema])),
    },
    metadata: operation,
  };
}
