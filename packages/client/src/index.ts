export { createPetstoreClient, type ListOrdersQuery, type ListPetsQuery, type PetstoreClient } from "./client.ts";
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  DecodeError,
  DeprecatedError,
  InvalidArgumentError,
  isApiError,
  isPetstoreError,
  NotFoundError,
  PermissionError,
  PetstoreError,
  RateLimitError,
  ServerError,
  TimeoutError,
  type ApiErrorCode,
  type ResponseDetails,
} from "./errors.ts";
export type { Cause } from "./causes.ts";
export type { Deprecation, PetstoreEvent } from "./events.ts";
export type {
  AppInfo,
  Clock,
  CreateOptions,
  Fetch,
  FetchInit,
  FetchOptions,
  FetchResponse,
  HeaderOptions,
  PetstoreClientOptions,
  RequestOptions,
  UpdateOptions,
} from "./options.ts";
export type { Page, PageList } from "./pages.ts";
export { checkNewPet, type FieldProblem, type NewPet, type PetChanges } from "./pet.ts";
export type { HttpMethod, RawRequestOptions } from "./raw-request.ts";
export type { Result } from "./result.ts";
export { compareInt64, JsonNumber, parseInt64, parseJson, stringifyJson } from "@petstore/contract/int64";
export type { ErrorCode, Int64, Int64Form, Int64Forms, Order, Pet, PetStatus } from "@petstore/contract";
export { idempotencyWindowMs, maxNameLength, petStatuses } from "@petstore/contract/values";
