import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, onTestFinished, test } from "vitest";
import { connected, petstore, petstoreInTerminal, startPetstore } from "./petstore.ts";

test("0: the built program says its version through pipes and at a terminal", async () => {
  const piped = await petstore(["--version"]);
  expect(piped).toEqual({ exitCode: 0, signal: null, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" });

  await using session = petstoreInTerminal(["--version"], { columns: 40 });
  expect(await session.ended).toEqual({ exitCode: 0, signal: null });
  expect(session.screen().join("\n")).toBe(piped.stdout.trimEnd());
});

test("0: runs that are given no home have one each, which goes with the test", async () => {
  const homes: string[] = [];
  // Such a hook runs after those that are added later.
  onTestFinished(() => expect(homes.map((home) => existsSync(home))).toEqual([false, false]));
  for (let run = 0; run < 2; run++) {
    const { stdout } = await petstore(["config", "path"]);
    homes.push(stdout.split(join("/", "config", "petstore"))[0] ?? "");
  }
  expect(homes.map((home) => existsSync(home))).toEqual([true, true]);
  expect(new Set(homes).size).toBe(2);
});

test("0: a run that is given a home keeps its files there", async () => {
  using kept = temporaryDirectory();
  expect((await petstore(["config", "set", "timeout", "7s"], { home: kept.path })).exitCode).toBe(0);
  expect(readdirSync(join(kept.path, "config", "petstore"))).toEqual(["config.json"]);
  expect((await petstore(["config", "get", "timeout"], { home: kept.path })).stdout).toBe("7s\n");
});

test("0: a running program reaches a server and reads its input", async () => {
  await using server = await startServer();
  const file = '{"name":"Rex","categoryId":1}';
  await using running = startPetstore(["pets", "create", "--file", "-", "-o", "json"], {
    environment: connected(server),
    input: file,
  });
  await running.printed(/"Rex"/);
  expect(await running.ended).toMatchObject({ exitCode: 0, stderr: "" });
});
