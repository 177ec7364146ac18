import { createHmac } from "node:crypto";
import type { ErrorCode } from "@petstore/contract";
import { operations as declared, scopes, type OperationName } from "@petstore/contract/operations";
import { expect } from "vitest";
import {
  checkInput,
  createMemoryStore,
  createOperations,
  parseBody,
  Refusal,
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
  /** Takes the place of methods of the store. */
  override?: Partial<Store>;
};

/** The service on a store in memory, signing as the server does. Fingerprints are the text that they are made of. */
export function startService({ now = () => 0, override, ...held }: TestServiceOptions = {}): TestService {
  const store = createMemoryStore({ cursorSecret, now, ...held });
  const operations = createOperations({ ...store, ...override }, { now, sign, digest: (text) => text });
  return {
    store,
    async call(name, { body, caller: by = caller, ...parts } = {}) {
      const parsed = body === undefined ? undefined : parseBody(new TextEncoder().encode(body));
      const given = { params: {}, query: {}, headers: {}, ...parts, body: parsed };
      const perform = operations[name] as (call: unknown) => Promise<Success<OperationName>>;
      const {
        status,
        body: content,
        headers = {},
      } = await perform({ ...checkInput(declared[name], given), caller: by });
      return { status, text: toText(content), headers };
    },
  };
}

function sign(bytes: Uint8Array): Uint8Array {
  return createHmac("sha256", cursorSecret).update(bytes).digest();
}

/** Expects what is thrown or rejected to be exactly this refusal. */
export async function expectRefusal(
  work: () => unknown,
  code: ErrorCode,
  message?: string,
  headers?: Record<string, string>,
): Promise<void> {
  const refusal: unknown = await (async () => await work())().then(
    () => expect.unreachable("It was not refused"),
    (error: unknown) => error,
  );
  if (!(refusal instanceof Refusal)) throw refusal;
  expect(refusal.code).toBe(code);
  if (message !== undefined) expect(refusal.message).toBe(message);
  if (headers !== undefined) expect(refusal.headers).toStrictEqual(headers);
}
