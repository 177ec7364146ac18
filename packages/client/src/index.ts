export {
  createPetstoreClient,
  type ListOrdersQuery,
  type ListPetsQuery,
  type PetstoreClient,
  type Result,
} from "./client.ts";
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
  type Cause,
  type ResponseDetails,
} from "./errors.ts";
export type { Deprecation, PetstoreEvent } from "./events.ts";
export type { Clock, CreateOptions, PetstoreClientOptions, RequestOptions } from "./options.ts";
export type { Page, PageList } from "./pages.ts";
export type { HttpMethod, RawRequestOptions } from "./raw-request.ts";
export { JsonNumber } from "@petstore/contract/int64";
export type { ErrorCode, Int64, NewPet, Order, Pet, PetStatus } from "@petstore/contract";
