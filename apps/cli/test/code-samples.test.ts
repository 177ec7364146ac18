import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { installed } from "@petstore/test-kit/programs";
import { start } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { binary } from "./support/binary.ts";
import { test } from "./support/fixtures.ts";

interface Operation {
  operationId: string;
  responses: object;
  "x-codeSamples": { lang: string; label: string; source: string }[];
}

const { paths } = JSON.parse(read("packages/contract/openapi.json")) as {
  paths: Record<string, Record<string, Operation>>;
};

/**
 * How to run a sample that is in the file `sample`: the program, which a list has unless this
 * machine lacks it, and its arguments.
 */
const runners: Readonly<Record<string, () => string[][]>> = {
  "@petstore/client": () => [[process.execPath, "sample.ts"]],
  petstore: () => [["sh", "sample.sh"]],
  curl: () => installed("curl").map(() => ["sh", "sample.sh"]),
  Python: () => installed("python3").map((python) => [python, "sample.py"]),
};

const samples = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, responses, "x-codeSamples": own }]) =>
    own.map(({ label, source }) => ({
      operationId,
      label,
      source,
      request: {
        method: method.toUpperCase(),
        route: path,
        status: Number(Object.keys(responses)[0]),
      },
    })),
  ),
);

test("every operation has a sample for our client, our command, curl and Python, in this order", () => {
  const labels = Map.groupBy(samples, ({ operationId }) => operationId);
  expect(labels.size).toBeGreaterThan(5);
  for (const [operationId, own] of labels)
    expect([operationId, own.map(({ label }) => label)]).toEqual([
      operationId,
      Object.keys(runners),
    ]);
});

const runnable = samples.flatMap((sample) =>
  (runners[sample.label]?.() ?? []).map((command) => ({ ...sample, command })),
);

test.for(runnable)(
  "0: the sample of $operationId for $label sends its request, and prints what comes back",
  async ({ source, command: [file = "", ...args], request }, { directory, server }) => {
    await server.store.importPets([{ name: "Bella", categoryId: 1, status: "available" }]);
    await server.store.importOrders([{ id: 1, json: '{"id":1}' }]);
    writeFileSync(join(directory, args[0] ?? ""), source);
    writeFileSync(join(directory, "package.json"), '{"type":"module"}');
    // A project with the packages of the command-line tool, and a path with the tool itself.
    symlinkSync(
      join(import.meta.dirname, "../node_modules"),
      join(directory, "node_modules"),
      "junction",
    );
    mkdirSync(join(directory, "programs"));
    writeFileSync(
      join(directory, "programs/petstore"),
      `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`,
    );
    chmodSync(join(directory, "programs/petstore"), 0o755);
    const environment = {
      PATH: [join(directory, "programs"), process.env["PATH"]].join(delimiter),
      HOME: directory,
      PETSTORE_BASE_URL: server.url,
      PETSTORE_API_KEY: server.apiKey,
    };

    const { exitCode, stdout, stderr } = await start(file, args, { directory, environment }).ended;
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    const printed = request.status === 204 ? /^(?:204\n)?$/ : /\bid['"]?: ?[1-3]|"added":2/;
    expect(stdout).toMatch(printed);
    expect(server.logs.map(({ method, route, status }) => ({ method, route, status }))).toEqual([
      request,
    ]);
  },
);
