import { startServer, type StartOptions, type TestServer } from "@petstore/server/start-server";
import { eventually } from "@petstore/test-kit/eventually";
import {
  startProxy,
  type Outcome,
  type ProxiedRequest,
  type Proxy,
} from "@petstore/test-servers/proxy";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { visit, type VisitOptions, type Visitor } from "../visitor.ts";

/**
 * The service behind a proxy, and those who visit its board. When it is disposed of, no address,
 * page, header, body or log line may contain an API key.
 */
export interface Board extends AsyncDisposable {
  server: TestServer;
  proxy: Proxy;
  /** The address of the board, with a slash at its end. */
  url: string;
  /** Opens the board in a browser without history, signed in with the key of the server. */
  open(options?: OpenOptions): Promise<Page>;
  /** Lets failures and complaints happen that match this. Others fail the test at its end. */
  expectFailures(pattern: RegExp): void;
}

interface BoardOptions extends StartOptions {
  /** The path below which the service is seen: `/shelter/app`. */
  prefix?: string;
  /** How many animals there are. */
  animals?: number;
}

interface OpenOptions extends VisitOptions {
  /** The key to sign in with, by a link. `null` signs nobody in. */
  apiKey?: string | null;
  /** The view: `?status=sold`. */
  view?: string;
}

export async function startBoard({
  prefix = "",
  animals = 0,
  ...options
}: BoardOptions = {}): Promise<Board> {
  const server = await startServer({ hasSignInLinks: true, ...options });
  const proxy = await startProxy(server.port, prefix);
  const visitors: Visitor[] = [];
  const expected: RegExp[] = [];
  const board: Board = {
    server,
    proxy,
    url: `${proxy.origin}${prefix}/`,
    async open({ apiKey = server.apiKey, view = "", ...rest } = {}) {
      const visitor = await visit(board.url + view + (apiKey === null ? "" : `#key=${apiKey}`), {
        expected,
        ...rest,
      });
      visitors.push(visitor);
      return visitor.page;
    },
    expectFailures: (pattern) => void expected.push(pattern),
    async [Symbol.asyncDispose]() {
      const leaks: string[] = [];
      for (const visitor of visitors) {
        for (const tab of visitor.page.context().pages()) {
          const shown = await tab.evaluate(() => document.documentElement.outerHTML);
          leaks.push(...leak("the page", { url: tab.url(), shown }));
        }
        await visitor[Symbol.asyncDispose]();
      }
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      leaks.push(
        ...proxy.requests.flatMap(leaksOf),
        ...server.logs.flatMap((line) => leak("the log", line)),
      );
      expect.soft(leaks).toEqual([]);
    },
  };
  await stock(board, animals);
  return board;
}

/** Stores animals, as an operator does. They have the name of their id. */
export async function stock(
  { server: { store } }: Board,
  count: number,
  status: "available" | "pending" | "sold" = "available",
): Promise<void> {
  if (count === 0) return;
  const [last] = (await store.listPets({ limit: 1_000_000 })).slice(-1);
  const first = Number(last?.id ?? 0) + 1;
  const pets = Array.from({ length: count }, (_, index) => first + index);
  await store.importPets(
    pets.map((id) => ({ id, name: `Animal ${id}`, categoryId: id % 9, status })),
  );
}

/** The animals of the service, at most 100: their names, categories and statuses. */
export async function stored({ server }: Board): Promise<unknown[][]> {
  const { body } = await server.call("/pets?limit=100");
  return (body as Record<string, unknown>[]).map(({ name, categoryId, status }) => [
    name,
    categoryId,
    status,
  ]);
}

/** Waits until the board says how many animals it shows: `3 animals`. */
export async function expectCount(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor();
}

/** The requests for animals so far. */
export function listRequests({ proxy }: Board): string[] {
  return proxy.requests.flatMap(({ method, target }) =>
    method === "GET" && target.includes("/v1/pets") ? [target] : [],
  );
}

/**
 * Moves the clock of the page until the board requests animals: with each step by less than it
 * waits between its requests.
 */
export async function untilPoll(board: Board, page: Page): Promise<void> {
  const before = listRequests(board).length;
  await eventually(async () => {
    await page.clock.runFor(2_500);
    return listRequests(board).length > before;
  });
}

type Treatment = Proxy["treat"];

export const forward: Treatment = (request) => request.forward();

export const cut: Treatment = () => "cut";

/** The server handles the request, and the browser gets no response. */
export async function lose(request: ProxiedRequest): Promise<Outcome> {
  await request.forward();
  return "cut";
}

/** Treats some requests in another way, and forwards the others. */
export function only(
  isMeant: (request: ProxiedRequest) => boolean,
  treatment: Treatment,
): Treatment {
  return (request) => (isMeant(request) ? treatment : forward)(request);
}

/** Holds some requests back until the returned function is called. */
export function hold({ proxy }: Board, isMeant: (request: ProxiedRequest) => boolean): () => void {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  proxy.treat = only(isMeant, async (request) => {
    await released;
    return request.forward();
  });
  return release;
}

/** Whether a request would add an animal. */
export function isPost({ method }: ProxiedRequest): boolean {
  return method === "POST";
}

export function postsOf({ proxy }: Board): ProxiedRequest[] {
  return proxy.requests.filter(isPost);
}

/** Whether a request would change an animal. */
export function isPatch({ method }: ProxiedRequest): boolean {
  return method === "PATCH";
}

export function patchesOf({ proxy }: Board): ProxiedRequest[] {
  return proxy.requests.filter(isPatch);
}

/** The requests so far that would add several animals. */
export function batchesOf(board: Board): ProxiedRequest[] {
  return postsOf(board).filter(isBatch);
}

/** Whether a request would add several animals. */
export function isBatch({ target }: ProxiedRequest): boolean {
  return target.endsWith("/pet-batches");
}

/**
 * The different idempotency keys of the requests: of those for new animals by default. In a batch,
 * each animal has its own.
 */
export function keysOf({ proxy }: Pick<Board, "proxy">, isMeant = isPost): unknown[] {
  return [...new Set(proxy.requests.filter(isMeant).flatMap(keysIn))];
}

function keysIn(request: ProxiedRequest): unknown[] {
  if (!isBatch(request)) return [request.headers["idempotency-key"]];
  const { pets } = JSON.parse(request.body) as { pets: { idempotencyKey: string }[] };
  return pets.map(({ idempotencyKey }) => idempotencyKey);
}

/** Where a request has an API key, except in its `Authorization` header. */
function leaksOf({
  headers: { authorization = "", ...headers },
  target,
  body,
}: ProxiedRequest): string[] {
  const bearer = /^(?:Bearer [!-~]+)?$/.test(authorization)
    ? []
    : [`Authorization: ${authorization}`];
  return [...bearer, ...leak("a request", { target, headers, body })];
}

function leak(place: string, content: unknown): string[] {
  const text = JSON.stringify(content);
  return /pst_(?:live|test)_\w/.test(text) ? [`${place} contains an API key: ${text}`] : [];
}
