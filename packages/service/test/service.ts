import { createHmac } from "node:crypto";
import type { ErrorCode } from "@petstore/contract";
import { operations as declared } from "@petstore/contract/contract";
import { scopes, type OperationName } from "@petstore/contract/metadata";
import { expect } from "vitest";
import {
  checkInput,
  createMemoryStore,
  createOperations,
  parseBody,
  HttpError,
  toText,
  type ApiKey,
  type MemoryStore,
  type MemoryStoreOptions,
  type Store,
  type Success,
} from "../src/index.ts";

/** 32 bytes: 0, 1, 2, … */
const cursorSecret = Uint8Array.from({ length: 32 }, (_, index) => index);

export const caller: ApiKey = { id: "key_a", name: "test", kind: "test", scopes, createdAt: 0 };

export interface Request {
  params?: object;
  query?: object;
  headers?: object;
  /** JSON text. */
  body?: string;
  caller?: ApiKey;
}

export interface Response {
  status: number;
  text: string;
  headers: Record<string, string>;
}

export interface TestService {
  store: MemoryStore;
  /** Reads, checks and performs a request, as a transport does. */
  call(this: void, name: OperationName, request?: Request): Promise<Response>;
}

export type TestServiceOptions = Partial<MemoryStoreOptions> & {
  /** Replaces methods of the store. */
  override?: Partial<Store>;
  reportBug?: (error: unknown) => void;
  publicUrl?: string;
};

/**
 * The service with a memory store. It signs cursors like the server; fingerprints are not hashed.
 */
export function startService({
  now = () => 0,
  override,
  reportBug = fail,
  publicUrl,
  ...content
}: TestServiceOptions = {}): TestService {
  const store = createMemoryStore({ cursorSecret, now, ...content });
  const ports = { now, sign, publicUrl, digest: (text: string) => text, reportBug };
  const operations = createOperations({ ...store, ...override }, ports);
  return {
    store,
    async call(name, { body, caller: by = caller, ...parts } = {}) {
      const parsed = body === undefined ? undefined : parseBody(new TextEncoder().encode(body));
      const given = { params: {}, query: {}, headers: {}, ...parts, body: parsed };
      const perform = operations[name] as (call: unknown) => Promise<Success<OperationName>>;
      const {
        status,
        body: result,
        headers = {},
      } = await perform({
        ...checkInput(declared[name], given),
        caller: by,
        requestId: "request-1",
      });
      return { status, text: toText(result), headers };
    },
  };
}

function fail(error: unknown): never {
  throw error;
}

function sign(text: string): string {
  return createHmac("sha256", cursorSecret).update(text).digest("base64url");
}

/** Expects `work` to throw, or reject with, this HTTP error. */
export async function expectHttpError(
  work: () => unknown,
  code: ErrorCode,
  message?: string,
  headers?: Record<string, string>,
): Promise<void> {
  const error: unknown = await (async () => await work())().then(
    () => expect.unreachable("it was not rejected"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw error;
  expect(error.code).toBe(code);
  if (message !== undefined) expect(error.message).toBe(message);
  if (headers !== undefined) expect(error.headers).toStrictEqual(headers);
}
