export {
  apiVersion,
  contract,
  scopes,
  type Deprecation,
  type OperationMetadata,
  type OperationName,
  type Scope,
} from "./contract.ts";
export { errorSchema, type ErrorBody, type ErrorCode, type ErrorStatus } from "./error.ts";
export {
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
} from "./int64.ts";
export { answerHeaderNames } from "./openapi-answers.ts";
export { openApiDocument, openApiText, pathTemplate } from "./openapi.ts";
export { orderSchema, ordersSchema, type Order } from "./order.ts";
export {
  int64Schema,
  newPetSchema,
  petSchema,
  petsSchema,
  petStatusSchema,
  type NewPet,
  type Pet,
  type PetStatus,
} from "./pet.ts";
export {
  basePath,
  errorStatuses,
  idempotencyKeyPattern,
  idempotencyWindowMs,
  isName,
  isReservedId,
  maxBodyBytes,
  maxBodyDepth,
  maxNameLength,
  pageLimit,
  petStatuses,
  reservedIds,
} from "./values.ts";
export { visible, visibleLines } from "./visible.ts";
