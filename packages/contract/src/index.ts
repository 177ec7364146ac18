export {
  contract,
  operations,
  pathTemplate,
  requestHeaderNames,
  type Operation,
  type PageQuery,
  type RequestOf,
} from "./contract.ts";
export { describeError, errorCodes, errors, errorSchema, type ErrorBody, type ErrorCode } from "./errors.ts";
export {
  compareInt64,
  INT64_MAX,
  INT64_MIN,
  isInt64,
  isTooDeep,
  parseInt64,
  parseJson,
  stringifyJson,
  toInt64,
  type Int64,
  type Int64Form,
} from "./int64.ts";
export { openApiDocument, openApiText } from "./openapi.ts";
export {
  apiVersion,
  defaultScopes,
  scopes,
  type Deprecation,
  type Metadata,
  type OperationName,
  type Scope,
} from "./metadata.ts";
export { orderSchema, ordersSchema, type Order } from "./order.ts";
export {
  int64Schema,
  newPetSchema,
  petChangesSchema,
  petSchema,
  petsSchema,
  type NewPet,
  type Pet,
  type PetChanges,
  type PetFields,
  type PetStatus,
} from "./pet.ts";
export { isObject, problemsOf, toProblems, type Problem } from "./problems.ts";
export { responseHeaderNames } from "./responses.ts";
export { isRequestId, isReservedId } from "./rules.ts";
export { fieldNames, maxNameLength, petFields, petStatuses } from "./fields.ts";
export {
  basePath,
  idempotencyKeyPattern,
  idempotencyWindowMs,
  maxBodyBytes,
  maxBodyDepth,
  maxTargetBytes,
  pageLimit,
  reservedIds,
} from "./values.ts";
export { visible, visibleLines } from "./visible.ts";
