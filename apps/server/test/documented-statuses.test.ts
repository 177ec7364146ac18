import { maxBodyBytes, openApiDocument, scopes, type ErrorBody, type Scope } from "@petstore/contract";
import { operations } from "@petstore/contract/operations";
import { StoreUnavailableError, type Store } from "@petstore/service";
import { expect, test } from "vitest";
import { createMemoryStore } from "../src/store/memory.ts";
import { exchange } from "./raw-connection.ts";
import { startServer, type StartOptions } from "./start-server.ts";
import { createWaitingStore } from "./waiting-store.ts";

interface Operation {
  operationId: string;
  "x-scope": Scope;
  parameters?: { $ref?: string }[];
  responses: Record<string, Answer | { $ref: string }>;
}

interface Answer {
  content: { "application/json": { examples: Record<string, { value: ErrorBody }> } };
}

interface Request {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string;
}

/** How an operation comes to answer with a status. */
interface Provocation {
  options?: (operation: Operation) => StartOptions;
  /** What is sent instead of a good request. */
  request?: (good: Request, operation: Operation) => Partial<Request>;
  /** What is sent before it. */
  before?: (good: Request) => Partial<Request>;
}

const document = openApiDocument() as {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Answer> };
};

const pairs = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    Object.keys(operation.responses)
      // Headers that are too large are refused before they have a path.
      .filter((status) => status !== "431")
      .map((status) => ({ status: Number(status), name: operation.operationId, path, method, operation })),
  ),
);

function withHeader(name: string, value: string): (good: Request) => Partial<Request> {
  return ({ headers }) => ({ headers: { ...headers, [name]: value } });
}
const withSecondHost = withHeader("host", "petstore.example");
const withKey = withHeader("Idempotency-Key", "one");

const provocations: Record<number, Provocation> = {
  200: {},
  201: {},
  400: {
    request(good, { parameters = [] }) {
      if (good.method === "POST") return { body: '{"name":"Rex"}' };
      const isList = parameters.some(({ $ref }) => $ref === "#/components/parameters/Limit");
      return isList ? { target: `${good.target}?limit=0` } : withSecondHost(good);
    },
  },
  401: { request: withHeader("Authorization", "Basic cGV0czpwZXRz") },
  403: { options: (operation) => ({ scopes: scopes.filter((scope) => scope !== operation["x-scope"]) }) },
  404: { request: () => ({ target: "/v1/pets/2" }) },
  408: {
    options: () => ({
      store: createWaitingStore("findKey").store,
      timeouts: { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 20 },
    }),
    // More than comes.
    request: withHeader("Content-Length", "100"),
  },
  409: {
    options: () => ({ store: storeWhose("createPet", async () => ({ outcome: "in_progress" })) }),
    request: withKey,
  },
  410: { options: () => ({ now: () => Date.parse(operations.getPet.deprecation.sunset) }) },
  413: { request: () => ({ body: " ".repeat(maxBodyBytes + 1) }) },
  414: { request: ({ target }) => ({ target: `${target}?${"a".repeat(5_000)}` }) },
  415: { request: withHeader("Content-Type", "text/plain") },
  417: { request: withHeader("Expect", "200-ok") },
  422: {
    before: withKey,
    request: (good) => ({ ...withKey(good), body: '{"name":"Max","categoryId":7}' }),
  },
  429: { options: () => ({ rateLimit: { requests: 1, windowMs: 60_000 } }), before: (good) => good },
  500: { options: () => ({ store: storeWhose("findKey", () => Promise.reject(new Error("disk on fire"))) }) },
  503: {
    options: () => ({
      store: storeWhose("findKey", () => Promise.reject(new StoreUnavailableError("gone", { reason: "connection" }))),
    }),
  },
};

// Whether the answer is what the document says of the status, the server looks at when it is disposed of.
test.each(pairs)("$status is an answer that $name gives", async ({ status, path, method, operation }) => {
  const { options, request, before } = provocations[status] ?? {};
  await using server = await startServer(options?.(operation));
  await server.store.importPets([{ id: 1, name: "Ada", categoryId: 7, status: "sold" }]);
  const good: Request = {
    method: method.toUpperCase(),
    target: `/v1${path.replace("{petId}", "1")}`,
    headers: {
      Host: "petstore.example",
      Connection: "close",
      Authorization: `Bearer ${server.apiKey}`,
      ...(method === "post" && { "Content-Type": "application/json" }),
    },
    body: method === "post" ? '{"name":"Rex","categoryId":7}' : "",
  };
  if (before) await exchange(server.port, toText({ ...good, ...before(good) }));
  const answers = await exchange(server.port, toText({ ...good, ...request?.(good, operation) }));
  expect(answers.map((answer) => answer.status)).toStrictEqual([status]);
  if (status < 400) return;
  expect(examplesOf(operation, status)).toContainEqual(JSON.parse(answers[0]?.body ?? ""));
});

/** The bodies that the document shows for an error of an operation. */
function examplesOf({ responses }: Operation, status: number): unknown[] {
  const declared = responses[status] ?? { $ref: "" };
  const answer = "$ref" in declared ? document.components.responses[declared.$ref.split("/").at(-1) ?? ""] : declared;
  return Object.values(answer?.content["application/json"].examples ?? {}).map(({ value }) => value);
}

function toText({ method, target, headers, body }: Request): string {
  const length = body === "" ? {} : { "Content-Length": String(body.length) };
  const lines = Object.entries({ ...length, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${target} HTTP/1.1`, ...lines, "", body].join("\r\n");
}

function storeWhose<Name extends "createPet" | "findKey">(name: Name, method: Store[Name]): Store {
  return { ...createMemoryStore(), [name]: method };
}
