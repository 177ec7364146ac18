export type { BatchResult, KeyedNewPet } from "./batch.ts";
export { bodyLimitOf, contract, countItems, operations, type Operation } from "./contract.ts";
export { errorCodes, type ErrorCode } from "./error-codes.ts";
export { errors, errorSchema, type ErrorBody } from "./errors.ts";
export { fieldNames, maxNameLength, petFields, petStatuses } from "./fields.ts";
export { INT64_MAX, INT64_MIN, parseInt64, parseJson, stringifyJson, toInt64 } from "./int64.ts";
export type { Int64, Int64Form } from "./int64.ts";
export { openApiDocument, openApiText } from "./openapi.ts";
export { apiVersion, defaultScopes, scopes, type OperationName, type Scope } from "./metadata.ts";
export { orderSchema, ordersSchema, type Order } from "./order.ts";
export { int64Schema, newPetSchema, petChangesSchema, petSchema, petsSchema } from "./pet.ts";
export type { NewPet, Pet, PetChanges, PetFields, PetStatus } from "./pet.ts";
export { toProblems, type Problem } from "./problems.ts";
export { responseHeaderNames } from "./responses.ts";
export { isRequestId, isReservedId } from "./rules.ts";
export {
  basePath,
  maxBatchSize,
  maxBodyBytes,
  maxBodyDepth,
  maxBodyValues,
  maxHeadersBytes,
  maxTargetBytes,
  pageLimit,
  reservedIds,
} from "./rules.ts";
export { visible, visibleLines } from "./visible.ts";
