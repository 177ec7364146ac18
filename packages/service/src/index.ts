export { authorize, checkRate, keyHeaders, type Callers } from "./authorization.ts";
export { checkMediaType, emptyBody, parseBody } from "./body.ts";
export { deprecationHeaders } from "./deprecation.ts";
export { andThen, isPromise, type MaybePromise } from "./maybe-promise.ts";
export { jsonType, safeHeaders } from "./headers.ts";
export { checkInput } from "./input.ts";
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from "./memory.ts";
export {
  createOperations,
  JsonText,
  toText,
  type Call,
  type Operations,
  type Origin,
  type Ports,
  type Success,
} from "./operations.ts";
export { createMemoryRateLimiter } from "./rate-limiter.ts";
export {
  invalidRequest,
  HttpError,
  toHttpError,
  unavailable,
  type RequestPart,
} from "./http-error.ts";
export {
  allowOf,
  apiMethods,
  findRoute,
  operationFor,
  paramsOf,
  routes,
  type Route,
} from "./routes.ts";
export type { PetFields } from "@petstore/contract/pet";
export {
  keyState,
  ImportConflictError,
  ImportedReferences,
  isRevokedBy,
  outOfIdsError,
  StoreUnavailableError,
  withChanges,
  type ApiKey,
  type AuditEntry,
  type Author,
  type ChangeOptions,
  type ConnectionCounts,
  type Creation,
  type Idempotency,
  type ImportCount,
  type ImportOptions,
  type ImportedPet,
  type PageQuery,
  type PetChange,
  type RateLimit,
  type RateLimiter,
  type Removal,
  type Store,
  type StoredKey,
  type StoredItem,
  type Update,
  type PetQuery,
} from "./store.ts";
