import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestServer } from "@petstore/server/start-server";
import { expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { petstore, petstoreProcess, type InProcessOptions } from "../support/petstore.ts";
import { configFile, listedSettings, longKey, saveConfig, savedConfig } from "../support/saved-settings.ts";

const keyring = fileURLToPath(new URL("../support/fake-keyring.cjs", import.meta.url));

/** Options of a run that uses the keyring of the home. */
function using(home: string, fault?: string): InProcessOptions {
  return { home, keyring, environment: { PETSTORE_INSECURE_STORAGE: undefined, KEYRING_FAULT: fault } };
}

/** The package is optional, and its native part may be missing. */
function withoutLibrary(home: string): InProcessOptions {
  return { ...using(home), keyring: join(home, "missing.cjs") };
}

function entries(home: string): unknown {
  return JSON.parse(readFileSync(join(home, "keyring.json"), "utf8"));
}

async function logIn({ url, apiKey }: TestServer, options: InProcessOptions, flags = "") {
  return await petstore(`auth login --base-url ${url} ${flags}`, { ...options, input: apiKey });
}

test("0: a key is saved in the keyring, used from there, and removed from there", async ({ server, home }) => {
  const options = using(home);
  const place = "in the system keyring";
  expect(await logIn(server, options)).toEqual({
    exitCode: 0,
    signal: null,
    stdout: "",
    stderr: `note: saved the key for ${server.url}, profile default, ${place}\n`,
  });
  const saved = { "base-url": server.url, "api-key-storage": "keyring" };
  expect(savedConfig(home)).toEqual({ profiles: { default: saved } });
  expect(entries(home)).toEqual({ [`petstore: default ${server.url}`]: server.apiKey });

  const trace = await petstore("pets list --verbose", options);
  expect(trace.stderr).toMatch(/authorization: Bearer pst_/i);
  expect(trace.stderr).not.toContain(server.apiKey);

  for (const command of ["pets create --name Rex --category-id 1", "auth status"]) {
    expect({ command, ...(await petstore(command, options)) }).toMatchObject({ exitCode: 0 });
  }
  expect((await petstore("auth status", options)).stdout).toContain('"origin":"keyring, profile default"');
  expect((await listedSettings(options))["api-key"]).toEqual(["…", "keyring, profile default"]);
  expect((await petstore("config profiles list", options)).stdout).toContain('"key":"keyring"');

  expect(await petstore("auth logout", options)).toMatchObject({
    stderr: expect.stringContaining("removed the key from the system keyring"),
  });
  expect(entries(home)).toEqual({});
  expect(savedConfig(home)).toEqual({ profiles: { default: { "base-url": server.url } } });
  expect(await petstore("pets list", options)).toMatchObject({ exitCode: 4 });
});

test.for([
  ["fail", "the keyring is locked"],
  ["forget", "it did not keep the key"],
] as const)("0: if the keyring does %s, the key is saved in the file", async ([fault, reason], { server, home }) => {
  expect(await logIn(server, using(home, fault))).toMatchObject({
    exitCode: 0,
    stderr: `note: saved the key for ${server.url}, profile default, in ${configFile(home)}, because the keyring cannot be used: ${reason}\n`,
  });
  expect(savedConfig(home)?.profiles?.["default"]).toEqual({ "base-url": server.url, "api-key": server.apiKey });
  expect(await petstore("pets list", using(home, fault))).toMatchObject({ exitCode: 0 });
});

test("0: --insecure-storage saves the key in the file, and removes it from the keyring", async ({ server, home }) => {
  await logIn(server, using(home));
  expect((await logIn(server, using(home), "--insecure-storage")).stderr).toContain(`in ${configFile(home)}\n`);
  expect(entries(home)).toEqual({});
  // And back.
  await logIn(server, using(home));
  expect(savedConfig(home)?.profiles?.["default"]).not.toHaveProperty("api-key");
});

test("4: a key that cannot be read from the keyring is reported, and nothing is sent", async ({ server, home }) => {
  await logIn(server, using(home));
  const { exitCode, stderr } = await petstore("pets list", using(home, "fail"));
  expect({ exitCode, stderr }).toEqual({
    exitCode: 4,
    stderr:
      "error: The key of the profile default cannot be read from the keyring: the keyring is locked\n" +
      "hint: Log in again with petstore auth login, set PETSTORE_API_KEY, or unlock the keyring\n",
  });
  // Not even the key of the environment needs the keyring.
  const environment = { ...using(home, "fail").environment, PETSTORE_API_KEY: server.apiKey };
  expect(await petstore("pets list", { ...using(home), environment })).toMatchObject({ exitCode: 0 });
});

test("1: a key that cannot be removed from the keyring is kept in the configuration", async ({ server, home }) => {
  await logIn(server, using(home));
  for (const [options, reason] of [
    [using(home, "fail"), "the keyring is locked"],
    [withoutLibrary(home), "the package @napi-rs/keyring is not installed, or not for this system"],
  ] as const) {
    expect(await petstore("auth logout", options)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`cannot be removed from the keyring: ${reason}\nhint: Unlock or install it`),
    });
  }
  expect(savedConfig(home)?.profiles?.["default"]).toHaveProperty("api-key-storage", "keyring");
});

test("4: a key in the keyring is used only for the address that it was saved for", async ({ server, home }) => {
  await logIn(server, using(home));
  saveConfig(home, { profiles: { default: { "base-url": "http://127.0.0.1:9/v1", "api-key-storage": "keyring" } } });
  expect(await petstore("pets list", using(home))).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining("cannot be read from the keyring: it has no such key"),
  });
});

// Other systems have no bus to take away, only the keyring of the user. What happens without a bus depends on the user and the kernel.
test.runIf(process.platform === "linux")(
  "0: a keyring that hangs is skipped after 3 seconds",
  async ({ server, home }) => {
    const path = join(home, "bus");
    await using bus = createServer((socket) => socket.resume()).listen(path);
    const environment = { PETSTORE_INSECURE_STORAGE: undefined, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` };
    const options = { home, environment, input: server.apiKey };
    const { exitCode, stderr } = await petstoreProcess(`auth login --base-url ${server.url}`, options);
    const reason = "it did not respond within 3 s";
    expect({ exitCode, stderr, isListening: bus.listening }).toEqual({
      exitCode: 0,
      isListening: true,
      stderr: expect.stringContaining(`${configFile(home)}, because the keyring cannot be used: ${reason}`),
    });
  },
);

test("0: profiles are listed, without keys", async ({ home }) => {
  const one = { "base-url": "https://one.example/v1", "api-key": longKey("one") };
  saveConfig(home, { profile: "two", profiles: { one, two: { timeout: "5s" } } });
  const { stdout, stderr } = await petstore("config profiles list --output csv", { home });
  expect({ stdout, stderr }).toEqual({
    stdout: "profile,current,baseUrl,key\none,,https://one.example/v1,file\ntwo,yes,,none\n",
    stderr: "",
  });
});

test("0: profiles use chooses the default one, which must exist", async ({ home }) => {
  saveConfig(home, { profiles: { one: {}, two: {} } });
  expect(await petstore("config profiles use two", { home })).toMatchObject({
    stderr: "note: the profile is now two\n",
  });
  expect(savedConfig(home)?.profile).toBe("two");
  expect(await petstore("config profiles use three", { home })).toMatchObject({
    exitCode: 2,
    stderr: "error: There is no profile three\nhint: Profiles: one, two\n",
  });
});

test("0: profiles delete removes a profile and its key", async ({ server, home }) => {
  await logIn(server, using(home), "--profile one");
  await petstore("config profiles use one", { home });
  expect(await petstore("config profiles delete one", using(home))).toMatchObject({
    exitCode: 0,
    stderr: "note: deleted the profile one\n",
  });
  expect(entries(home)).toEqual({});
  expect(savedConfig(home)).toEqual({ profiles: {} });
});
