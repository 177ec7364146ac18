import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { read } from "@petstore/test-kit/checkout";
import { expectExit, start } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test } from "./support/fixtures.ts";
import { petstore } from "./support/petstore.ts";

interface Operation {
  operationId: string;
  responses: object;
  "x-codeSamples": { lang: string; label: string; source: string }[];
}

const { paths } = JSON.parse(read("packages/contract/openapi.json")) as {
  paths: Record<string, Record<string, Operation>>;
};

const samples = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, responses, "x-codeSamples": sources }]) => {
    const sourceOf = (lang: string): string => sources.find((sample) => sample.lang === lang)?.source ?? "";
    const request = { method: method.toUpperCase(), route: path, status: Number(Object.keys(responses)[0]) };
    return { operationId, request, client: sourceOf("TypeScript"), command: sourceOf("Shell") };
  }),
);

test.for(samples)(
  "0: the command and the program in the document for $operationId work",
  async (sample, { directory }) => {
    const { command, client, request } = sample;
    const [program, ...args] = command.split(" ");
    expect(program).toBe("petstore");
    // A project with the packages of the command-line tool.
    writeFileSync(join(directory, "sample.ts"), client);
    writeFileSync(join(directory, "package.json"), '{"type":"module"}');
    symlinkSync(join(import.meta.dirname, "../node_modules"), join(directory, "node_modules"), "junction");
    const runs = [
      [/"id":/, (server: TestServer) => petstore(args, { server })],
      [
        /id: /,
        async ({ url, apiKey }: TestServer) => {
          const environment = { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: apiKey };
          return await start(process.execPath, ["sample.ts"], { directory, environment }).ended;
        },
      ],
    ] as const;
    for (const [printed, run] of runs) {
      await using server = await startServer();
      await server.store.importPets([{ name: "Bella", categoryId: 1, status: "available" }]);
      await server.store.importOrders([{ id: 1, json: '{"id":1}' }]);
      await expectExit(0, run(server), { stdout: request.status === 204 ? "" : printed });
      expect(server.logs.map(({ method, route, status }) => ({ method, route, status }))).toEqual([request]);
    }
  },
);
