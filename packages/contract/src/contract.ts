import { initContract } from "@ts-rest/core";
import type { z } from "zod";
import { errors, type ErrorBody, type ErrorCode, type ErrorStatus } from "./errors.ts";
import type { AnyList, AnyObject, ListShape, ObjectShape, ValueOf, InputOf } from "./fields.ts";
import { commonErrors, operations, type Operation, type OperationName } from "./operations.ts";
import { errorSchema, listSchema, objectSchema, parametersSchema } from "./schemas.ts";

/** A part of an operation as ts-rest wants it: a schema, or nothing where the operation does not have it. */
type Schemas<Declared extends Operation> = {
  [Part in "query" | "headers" | "body" as Declared extends Record<Part, unknown> ? Part : never]: z.ZodType<
    ValueOf<Declared[Part]>,
    InputOf<Declared[Part]>
  >;
} & (Declared extends { params: infer Params } ? { pathParams: z.ZodType<ValueOf<Params>, InputOf<Params>> } : unknown);

type Route<Declared extends Operation> = Schemas<Declared> & {
  method: Declared["method"];
  path: Declared["path"];
  summary: string;
  description: string;
  deprecated: boolean;
  responses: Record<
    Declared["success"]["status"],
    z.ZodType<ValueOf<Declared["success"]["body"]>, ValueOf<Declared["success"]["body"]>>
  > &
    Record<ErrorStatus, z.ZodType<ErrorBody>>;
  metadata: Operation;
};

/** The interface as a ts-rest router: what the server implements. */
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
    ...(params && { pathParams: parametersSchema(params) }),
    ...(query && { query: parametersSchema(query) }),
    ...(headers && { headers: parametersSchema(headers) }),
    ...(body && { body: objectSchema(body as ObjectShape<object>) }),
    responses: {
      [success.status]: bodySchema(success.body),
      ...Object.fromEntries(errorsOf(operation).map((code) => [errors[code].status, errorSchema])),
    },
    metadata: operation,
  };
}

function bodySchema(body: AnyObject | AnyList): z.ZodType {
  return "items" in body ? listSchema(body as ListShape<object>) : objectSchema(body as ObjectShape<object>);
}

/** Every error that an operation may respond with. */
export function errorsOf(operation: Operation): ErrorCode[] {
  return [...commonErrors, ...operation.errors];
}
