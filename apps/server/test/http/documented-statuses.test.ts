import {
  bodyLimitOf,
  openApiDocument,
  scopes,
  type ErrorBody,
  type Scope,
} from "@petstore/contract";
import { contract as declared } from "@petstore/contract/contract";
import { StoreUnavailableError, type Store } from "@petstore/service";
import { expect, test } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { toRequest } from "../support/raw-request.ts";
import type { RawResponse } from "../support/raw-response.ts";
import { startServer, type StartOptions } from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

interface Operation {
  operationId: keyof typeof declared;
  "x-scope": Scope;
  parameters?: { $ref?: string }[];
  requestBody?: { content: { "application/json": { examples: { example: { value: object } } } } };
  responses: Record<string, Documented | { $ref: string }>;
}

interface Documented {
  content: { "application/json": { examples: Record<string, { value: ErrorBody }> } };
}

/**
 * How to change a valid request, or the server, to get a response with a status. A success needs no
 * more than one scope.
 */
interface Change {
  options?: StartOptions;
  target?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Whether the valid request is sent first. */
  isSecond?: boolean;
}

const document = openApiDocument() as {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Documented> };
};

const pairs = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    Object.keys(operation.responses)
      // Headers that are too large are rejected before they have a path.
      .filter((status) => status !== "431")
      .map((status) => [Number(status), operation.operationId, path, method, operation] as const),
  ),
);

function withStore(methods: Partial<Store>): Change {
  return { options: { store: { ...createMemoryStore(), ...methods } } };
}

function changeFor(status: number, target: string, method: string, operation: Operation): Change {
  const { parameters = [] } = operation;
  const isList = parameters.some(({ $ref }) => $ref === "#/components/parameters/Limit");
  const invalid = isList
    ? { target: `${target}?limit=0` }
    : { headers: { host: "petstore.example" } };
  const changes: Record<number, Change> = {
    400:
      {
        post: { body: '{"name":"Rex"}' },
        put: { body: '{"name":"Rex"}' },
        patch: { body: '{"status":"lost"}' },
        delete: { target: `${target}?ifStatus=lost` },
      }[method] ?? invalid,
    401: { headers: { Authorization: "Basic cGV0czpwZXRz" } },
    403: { options: { scopes: scopes.filter((scope) => scope !== operation["x-scope"]) } },
    404: { target: "/v1/pets/2" },
    408: {
      options: {
        store: createWaitingStore("findKey").store,
        limits: { headers: 150, request: 300 },
        checkIntervalMs: 20,
      },
      headers: { "Content-Length": "1000" }, // more than is sent
    },
    409: {
      ...withStore({
        createPet: async () => ({ outcome: "in_progress" }),
        updatePet: async () => ({ outcome: "in_progress" }),
        deletePet: async () => ({ outcome: "in_progress" }),
      }),
      headers: { "Idempotency-Key": "one" },
    },
    410: { options: { now: () => Date.parse(declared.getPet.metadata.deprecation.sunset) } },
    413: { body: " ".repeat(bodyLimitOf(declared[operation.operationId]) + 1) },
    414: { target: `${target}?${"a".repeat(5_000)}` },
    415: { headers: { "Content-Type": "text/plain" } },
    417: { headers: { Expect: "200-ok" } },
    422: {
      isSecond: true,
      headers: { "Idempotency-Key": "one" },
      ...(method === "delete"
        ? { target: `${target}?ifStatus=sold` }
        : { body: '{"name":"Max","categoryId":7}' }),
    },
    429: { isSecond: true, options: { rateLimit: { requests: 1, windowMs: 60_000 } } },
    500: withStore({ findKey: () => Promise.reject(new Error("disk on fire")) }),
    503: withStore({
      findKey: () => Promise.reject(new StoreUnavailableError("gone", { reason: "connection" })),
    }),
  };
  return changes[status] ?? { options: { scopes: [operation["x-scope"]] } };
}

// When the server is disposed of, it checks the response against the document.
test.for(pairs)(
  "%i is a status with which %s responds",
  async ([status, , path, method, operation]) => {
    const target = `/v1${path.replace("{petId}", "1")}`;
    const change = changeFor(status, target, method, operation);
    await using server = await startServer(change.options);
    await server.store.importPets([{ id: 1, name: "Ada", categoryId: 7, status: "sold" }]);
    const example = operation.requestBody?.content["application/json"].examples.example.value;
    const goodBody = example ? JSON.stringify(example) : "";

    function send(sentTo: string, body: string): Promise<RawResponse[]> {
      const headers = {
        ...(body !== "" && {
          "Content-Type": "application/json",
          "Content-Length": String(body.length),
        }),
        Host: "petstore.example",
        Authorization: "Bearer <key>",
        Connection: "close",
        ...change.headers,
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      return server.send(toRequest(`${method.toUpperCase()} ${sentTo} HTTP/1.1`, lines, body));
    }

    if (change.isSecond) await send(target, goodBody);
    const responses = await send(change.target ?? target, change.body ?? goodBody);
    expect(responses.map((response) => response.status)).toStrictEqual([status]);
    if (status < 400) return;
    expect(examplesOf(operation, status)).toContainEqual(JSON.parse(responses[0]?.body ?? ""));
  },
);

/** The bodies that the document shows for an error of an operation. */
function examplesOf({ responses }: Operation, status: number): unknown[] {
  const response = responses[status] ?? { $ref: "" };
  const documented =
    "$ref" in response
      ? document.components.responses[response.$ref.split("/").at(-1) ?? ""]
      : response;
  return Object.values(documented?.content["application/json"].examples ?? {}).map(
    ({ value }) => value,
  );
}
