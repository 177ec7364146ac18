export type { KeyedNewPet } from "./batch.ts";
export {
  createPetstoreClient,
  type ListOrdersQuery,
  type ListPetsQuery,
  type PetstoreClient,
} from "./client.ts";
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  DecodeError,
  InterceptedError,
  InvalidArgumentError,
  isApiError,
  isPetstoreError,
  NotFoundError,
  PetstoreError,
  RateLimitError,
  ServerError,
  TimeoutError,
  type ResponseDetails,
} from "./errors.ts";
export type { PetstoreEvent } from "./events.ts";
export type {
  CreateOptions,
  Fetch,
  FetchOptions,
  PetstoreClientOptions,
  RequestOptions,
  UpdateOptions,
} from "./options.ts";
export type { Page, PageList } from "./page-list.ts";
export { checkNewPet, type FieldProblem, type NewPet, type PetChanges } from "./pet.ts";
export type { Result } from "./exchange.ts";
export type { BatchResult } from "@petstore/contract/batch";
export type { ErrorCode, Int64, Int64Form, Order, Pet, PetStatus } from "@petstore/contract";
export { maxNameLength, petStatuses } from "@petstore/contract/fields";
export { idempotencyWindowMs, maxBatchSize } from "@petstore/contract/rules";
