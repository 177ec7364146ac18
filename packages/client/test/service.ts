import { parseJson, stringifyJson, type ErrorCode } from "@petstore/contract";
import { startServer, type Call, type TestResponse as Answer } from "@petstore/server/start-server";
import { expect } from "vitest";
import type { Order, Pet } from "../src/index.ts";
import { createPetstoreFake, type FakePet } from "../src/testing.ts";
import { createClock } from "./clock.ts";

/** What a program sees of a Petstore service, and a test of what is behind it. */
export interface Service extends AsyncDisposable {
  fetch: typeof globalThis.fetch;
  baseUrl: string;
  apiKey: string;
  /** Every animal, in ascending order of id. */
  stored(): Promise<readonly Pet[]>;
}

export interface ServiceOptions {
  pets?: readonly FakePet[];
  orders?: readonly Order[];
  /** Milliseconds since 1970. */
  now?: () => number;
}

export type StartService = (options?: ServiceOptions) => Promise<Service>;

/** The service over real HTTP, with a store in memory. */
export async function startReal({ pets = [], orders = [], now = Date.now }: ServiceOptions = {}): Promise<Service> {
  const server = await startServer({ now });
  const { store, url: baseUrl, apiKey } = server;
  await store.importPets(pets.map((pet) => ({ ...pet, status: pet.status ?? "available" })));
  await store.importOrders(orders.map((order) => ({ id: order.id, json: stringifyJson(order) })));
  return {
    fetch: globalThis.fetch,
    baseUrl,
    apiKey,
    stored: () => store.listPets({ limit: Infinity }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export async function startFake({ now = Date.now, ...options }: ServiceOptions = {}): Promise<Service> {
  const clock = { ...createClock(), now };
  const { fetch, baseUrl, apiKey, pets } = createPetstoreFake({ ...options, clock });
  return { fetch, baseUrl, apiKey, stored: async () => pets, async [Symbol.asyncDispose]() {} };
}

/** Sends a request to a path below the base address. */
export async function call(service: Service, path: string, options: Call = {}): Promise<Answer> {
  const { body, apiKey = service.apiKey, method = body === undefined ? "GET" : "POST" } = options;
  const headers = new Headers(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` });
  if (body !== undefined) headers.set("Content-Type", "application/json");
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const response = await service.fetch(service.baseUrl + path, { method, headers, ...content(body) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? undefined : parseJson(text) };
}

function content(body: unknown): RequestInit {
  if (body === undefined) return {};
  return {
    body: typeof body === "string" ? body : body instanceof Uint8Array ? new Uint8Array(body) : stringifyJson(body),
  };
}

/** Expects exactly an Error body, with exactly this message. */
export function expectError({ status, headers, body }: Answer, expected: [number, ErrorCode, string]): void {
  const [expectedStatus, code, message] = expected;
  expect({ status, body }).toStrictEqual({ status: expectedStatus, body: { code, message, status: expectedStatus } });
  expect(headers.get("Content-Type")).toBe("application/json; charset=utf-8");
}

/** The query of the next page, with its `?`. */
export function nextQuery({ headers }: Answer): string | undefined {
  return /^<(\?cursor=[^&>]+&limit=\d+(?:&status=\w+)?)>; rel="next"$/.exec(headers.get("Link") ?? "")?.[1];
}

/** So many animals called Pet 1, Pet 2, …, whose statuses take turns. */
export function somePets(count: number): FakePet[] {
  const statuses = ["available", "pending", "sold"] as const;
  return Array.from({ length: count }, (_, index) => ({
    name: `Pet ${index + 1}`,
    categoryId: index,
    status: statuses[index % statuses.length],
  }));
}
