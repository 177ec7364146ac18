import type { ResponseHeader } from "./responses.ts";

/** The version of the API. Its major version ends every base URL: `/v1`. */
export const apiVersion = "1.0.0";

export const scopes = ["read", "write", "orders", "remove"] as const;

export type Scope = (typeof scopes)[number];

/** Those of a key that was issued without a list: all but the one that can lose animals. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== "remove");

/**
 * The name of an operation: the key in the contract, and the name of the handler, the client method
 * and the `operationId`. Written out: a type derived from the contract would add its schemas to the
 * declarations of the fake.
 */
export type OperationName =
  | "listPets"
  | "createPet"
  | "createPets"
  | "getPet"
  | "updatePet"
  | "deletePet"
  | "listOrders";

/** When an operation is deprecated (RFC 9745) and removed (RFC 8594). */
export interface Deprecation {
  /** When the deprecation starts, in ISO 8601. */
  since: string;
  /** From this time on the operation returns 410 `operation_removed`, in ISO 8601. */
  sunset: string;
  /** The replacement: its URL relative to the request, and a description. */
  successor: { reference: string; description: string };
}

/** What ts-rest does not know about an operation. */
export interface Metadata {
  /** The navigation group. */
  tag: "pets" | "store";
  /** `experimental` operations may change in any release. */
  stability: "stable" | "experimental";
  scope: Scope;
  deprecation?: Deprecation;
  /** The largest body of a request, in bytes, if it may be larger than that of other operations. */
  maxBodyBytes?: number;
  /** The member of the body that is a list of items, each of which counts as a request. */
  items?: string;
  /** The headers of its successful response, in addition to those of every response. */
  headers?: readonly ResponseHeader[];
  /** An example of a problem that `invalid_request` reports. */
  invalidRequest: string;
}
