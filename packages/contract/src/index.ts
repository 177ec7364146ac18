export { contract } from "./contract.ts";
export { describeError, errorCodes, errors, type ErrorBody, type ErrorCode } from "./errors.ts";
export { isObject, pickFields, problemsOf, type Fields, type Problem, type ValueOf } from "./fields.ts";
export {
  compareInt64,
  INT64_MAX,
  INT64_MIN,
  isInt64,
  isTooDeep,
  JsonNumber,
  parseInt64,
  parseJson,
  stringifyJson,
  toInt64,
  type Int64,
  type Int64Form,
  type Int64Forms,
} from "./int64.ts";
export { openApiDocument, openApiText } from "./openapi.ts";
export {
  apiVersion,
  operations,
  pathTemplate,
  requestHeaderNames,
  scopes,
  type Deprecation,
  type Operation,
  type OperationName,
  type PageQuery,
  type Scope,
} from "./operations.ts";
export type { Order } from "./order.ts";
export { newPet, pet, type NewPet, type Pet, type PetFields, type PetStatus } from "./pet.ts";
export { responseHeaderNames } from "./responses.ts";
export { isName, isRequestId, isReservedId } from "./rules.ts";
export {
  errorSchema,
  int64Schema,
  newPetSchema,
  orderSchema,
  ordersSchema,
  petSchema,
  petsSchema,
  toShape,
} from "./schemas.ts";
export {
  basePath,
  idempotencyKeyPattern,
  idempotencyWindowMs,
  maxBodyBytes,
  maxBodyDepth,
  maxNameLength,
  maxTargetBytes,
  pageLimit,
  petStatuses,
  reservedIds,
} from "./values.ts";
export { visible, visibleLines } from "./visible.ts";
