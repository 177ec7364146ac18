import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseJson, stringifyJson } from "@petstore/client/int64";
import type * as testing from "@petstore/client/testing";
import { startServer } from "@petstore/server/start-server";
import { expect, inject } from "vitest";

const { href } = pathToFileURL(
  join(inject("project"), "node_modules/@petstore/client/dist/testing.js"),
);
const { createPetstoreFake } = (await import(href)) as typeof testing;

// Server and fake are two HTTP layers around one service. The server's responses have their own
// tests; these tests check that those of the packed fake are equal, byte for byte.
export interface Step {
  method: string;
  /** Relative to the base URL. `last` stands for the last cursor of the service. */
  target: string;
  body?: string | Uint8Array<ArrayBuffer> | undefined;
  /** The `Authorization` header, where `own` stands for the API key; `null` for no header. */
  credentials?: string | null | undefined;
  headers?: Record<string, string>;
  /** Time since the previous request. */
  laterMs?: number;
}

const pets = [
  { id: 9007199254740993n, name: "Old", categoryId: 1 },
  { id: 1, name: "Rex", categoryId: 7 },
  { id: -5, name: "Older", categoryId: 9223372036854775807n, status: "sold" as const },
];
const orders = [
  { id: 3, lines: [1.5, null] },
  { id: -(2n ** 63n) },
  { id: 2n ** 53n + 1n, größe: 2n ** 60n },
];
const startAt = Date.parse("2026-11-20T12:00:00Z");
export const toSunsetMs = Date.parse("2030-12-05T00:00:00Z") - startAt;

/** Starts both services with the same content and clock. */
export async function startBoth() {
  const time = { elapsedMs: 0 };
  const clock = { random: () => 0, setTimeout, clearTimeout, now: () => startAt + time.elapsedMs };
  const server = await startServer({ now: clock.now });
  await server.store.importPets(pets.map((pet) => ({ status: "available", ...pet })));
  await server.store.importOrders(
    orders.map((order) => ({ id: order.id, json: stringifyJson(order) })),
  );
  const fake = createPetstoreFake({ pets, orders, clock });
  const real = { fetch: globalThis.fetch, baseUrl: server.url, apiKey: server.apiKey };
  return { real, fake, server, time, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/**
 * Sends requests to both services and expects equal responses and equal content. Returns the
 * statuses.
 */
export async function expectEqual(steps: readonly Step[]): Promise<number[]> {
  await using both = await startBoth();
  const cursors = { real: "none", fake: "none" };
  const statuses: number[] = [];
  const newIds: string[] = [];
  for (const step of steps) {
    both.time.elapsedMs += step.laterMs ?? 0;
    const real = await send(both.real, step, cursors.real);
    const fake = await send(both.fake, step, cursors.fake);
    expect(fake.details, `${step.method} ${step.target}`).toStrictEqual(real.details);
    cursors.real = real.cursor ?? cursors.real;
    cursors.fake = fake.cursor ?? cursors.fake;
    statuses.push(real.details.status);
    newIds.push(...real.newIds, ...fake.newIds);
  }
  const stored = await both.server.store.listPets({ limit: 1_000 });
  expect(both.fake.pets.map((pet) => stringifyJson(pet))).toEqual(stored.map(({ json }) => json));
  expect(new Set(newIds).size).toBe(newIds.length);
  return statuses;
}

async function send(
  service: Pick<typeof globalThis, "fetch"> & { baseUrl: string; apiKey: string },
  step: Step,
  cursor: string,
) {
  const { method, target, body, credentials = "Bearer own" } = step;
  const headers = new Headers(body === undefined ? {} : { "Content-Type": "application/json" });
  if (credentials !== null)
    headers.set("Authorization", credentials.replaceAll("own", service.apiKey));
  for (const [name, value] of Object.entries(step.headers ?? {})) headers.set(name, value);
  const content = body === undefined ? {} : { body };
  const response = await service.fetch(service.baseUrl + target.replaceAll("last", cursor), {
    method,
    headers,
    ...content,
  });
  const text = await response.text();
  if (text !== "") parseJson(text);
  // The whole response, except for values that differ between services: cursors, new request ids
  // and transport headers.
  const transport = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];
  const rest = [...response.headers].filter(([name]) => !transport.includes(name));
  const link = response.headers.get("Link")?.replace(/cursor=[\w-]+&/, "cursor=…&");
  const requestId = response.headers.get("X-Request-Id") ?? "";
  const isNew = requestId !== step.headers?.["X-Request-Id"] && /^[\w.-]{1,64}$/.test(requestId);
  return {
    details: {
      status: response.status,
      text,
      ...Object.fromEntries(rest),
      link,
      "x-request-id": isNew ? "new" : requestId,
    },
    newIds: isNew ? [requestId] : [],
    cursor: /cursor=([\w-]+)/.exec(response.headers.get("Link") ?? "")?.[1],
  };
}
