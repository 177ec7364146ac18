import { readFileSync } from "node:fs";
import { startServer } from "@petstore/server/start-server";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, test, vi } from "vitest";
import { connected, petstore } from "./petstore.ts";
import { saveConfig } from "./saved-settings.ts";

vi.setConfig({ testTimeout: 60_000 });

test("2: base-url (flag --base-url): ftp://petstore.example/v1", async () => {
  const { exitCode, stderr } = await petstore(["pets", "list", "--base-url", "ftp://petstore.example/v1"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: "error: base-url (flag --base-url) must be like https://host/v1\n",
  });
});

test.each([
  ["a flag", {}, ["--profile", "default"]],
  ["the file", { profile: "default" }, []],
])("0: the profile default is always there, also when %s chooses it", async (_, config, args) => {
  using home = temporaryDirectory();
  await using server = await startServer();
  saveConfig(home.path, config);
  const { exitCode, stderr } = await petstore(["pets", "list", ...args], {
    home: home.path,
    environment: connected(server),
  });
  expect({ exitCode, stderr: stderr.replace("note: There are none\n", "") }).toEqual({ exitCode: 0, stderr: "" });
});

test.each([
  ["a flag", ["-o", "json"], {}],
  ["a variable", [], { PETSTORE_OUTPUT: "ndjson" }],
])("2: a damaged file is told as JSON when %s asks for it", async (_, args, environment) => {
  using home = temporaryDirectory();
  const path = saveConfig(home.path, "{");
  const { exitCode, stderr } = await petstore(["config", "list", ...args], { home: home.path, environment });
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: "usage", message: `The configuration file ${path} is damaged`, exitCode: 2 },
  });
});

test("0: an empty HOME does not make it a file of the working directory", async () => {
  const { stdout } = await petstore(["config", "path"], { environment: { HOME: "", XDG_CONFIG_HOME: undefined } });
  expect(stdout).toMatch(/^\/.*\/\.config\/petstore\/config\.json\n$/);
});

test("2: output (environment PETSTORE_OUTPUT): nothing is added", async () => {
  await using server = await startServer();
  const environment = { ...connected(server), PETSTORE_OUTPUT: "xml" };
  expect((await petstore(["pets", "create", "--name", "Rex", "--category-id", "1"], { environment })).exitCode).toBe(2);
  expect(server.logs).toEqual([]);
});

test("0: a color that is none can be taken out of the profile by the command for it", async () => {
  using home = temporaryDirectory();
  saveConfig(home.path, { profiles: { default: { color: "purple" } } });
  expect((await petstore(["config", "unset", "color"], { home: home.path })).exitCode).toBe(0);
  expect((await petstore(["config", "get", "color"], { home: home.path })).stdout).toBe("auto\n");
});

test("0: what else is in the configuration file stays when it is written", async () => {
  using home = temporaryDirectory();
  const path = saveConfig(home.path, JSON.stringify({ comment: "mine", profiles: {} }));
  expect((await petstore(["config", "set", "timeout", "9s"], { home: home.path })).exitCode).toBe(0);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    comment: "mine",
    profiles: { default: { timeout: "9s" } },
  });
});
