import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createKey, run, serve, settings, temporaryDirectory, type Ended } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";
import { eventually } from "./start-server.ts";

vi.setConfig({ testTimeout: 60_000 });

interface Row {
  id: string;
  name: string;
  kind: string;
  scopes: string[];
  state: string;
  created: string;
  expires: string | null;
}

describe("keys create", () => {
  test("prints the secret alone on standard output, and the rest for people on standard error", async () => {
    using directory = temporaryDirectory();
    const { exitCode, stdout, stderr } = await keys(directory.path, "create", "--name", "shop front");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^pst_live_[0-9A-Za-z]{38}\n$/);
    expect(stderr).toMatch(
      /^Created \/\S+\/petstore\.db\.\nkey_[0-9A-Za-z]{12} \(shop front\) is issued\. Keep the key below: it is not shown again\.\n$/,
    );
  });

  test("takes kind, scopes and expiry", async () => {
    using directory = temporaryDirectory();
    const before = Date.now();
    const { stdout } = await keys(
      directory.path,
      ...words("create --name shop --test --scopes orders,read --expires-in 90d"),
    );
    const after = Date.now();
    expect(stdout).toMatch(/^pst_test_/);
    const [row] = await list(directory.path);
    expect(row).toMatchObject({ name: "shop", kind: "test", scopes: ["read", "orders"], state: "active" });
    const ninetyDaysMs = 90 * 24 * 60 * 60 * 1000;
    expect(Date.parse(row?.expires ?? "")).toBeGreaterThanOrEqual(before + ninetyDaysMs);
    expect(Date.parse(row?.expires ?? "")).toBeLessThanOrEqual(after + ninetyDaysMs);
  });

  test("makes a key that a running server takes at once, for its scopes only", async () => {
    using directory = temporaryDirectory();
    await using server = await serve(directory.path);
    const key = await createKey(directory.path, "--scopes", "orders");
    expect((await server.call(key, "/store/orders")).status).toBe(200);
    expect((await server.call(key, "/pets")).status).toBe(403);
  });
});

describe("keys list", () => {
  test("says what to do when there is none", async () => {
    using directory = temporaryDirectory();
    await run(directory.path, ["migrate"]);
    expect(await keys(directory.path, "list")).toMatchObject({
      exitCode: 0,
      stdout: "There are no keys. Issue one with: petstore-server keys create --name NAME\n",
    });
  });

  test("prints a table, oldest first, without a secret", async () => {
    using directory = temporaryDirectory();
    const secrets = [await createKey(directory.path), await createKey(directory.path, "--expires-in", "1s")];
    const rest = await list(directory.path);
    await eventually(() => Date.now() >= Date.parse(rest[1]?.expires ?? ""));
    const { stdout } = await keys(directory.path, "list");
    const rows = stdout.trimEnd().split("\n");
    expect(rows[0]).toMatch(/^ID +NAME +KIND +SCOPES +STATE +CREATED +EXPIRES$/);
    expect(rows[1]).toMatch(/^key_\w{12} +test +live +read,write,orders +active +\S+Z +never$/);
    expect(rows[2]).toMatch(/^key_\w{12} +test +live +read,write,orders +expired +\S+Z +\S+Z$/);
    expect(rows).toHaveLength(3);
    for (const secret of secrets) expect(stdout).not.toContain(secret.slice(9, 41));
  });
});

describe("keys revoke", () => {
  test("has the running server refuse the key at the next request, and for good", async () => {
    using directory = temporaryDirectory();
    const key = await createKey(directory.path);
    const [row] = await list(directory.path);
    await using server = await serve(directory.path);
    expect((await server.call(key, "/pets")).status).toBe(200);

    expect(await keys(directory.path, "revoke", row?.id ?? "")).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: `${row?.id} is revoked.\n`,
    });
    expect((await server.call(key, "/pets")).status).toBe(401);

    server.kill("SIGKILL");
    await server.ended;
    await using restarted = await serve(directory.path);
    expect((await restarted.call(key, "/pets")).status).toBe(401);
    expect(await list(directory.path)).toEqual([{ ...row, state: "revoked" }]);
  });
});

describe("keys rotate", () => {
  test("issues a key like the old one, and both work until the overlap ends", async () => {
    using directory = temporaryDirectory();
    const old = await createKey(directory.path, "--test", "--scopes", "read");
    const [row] = await list(directory.path);
    await using server = await serve(directory.path);

    const { stdout, stderr } = await keys(directory.path, "rotate", row?.id ?? "", "--overlap", "1h");
    const [rotated, replacement] = await list(directory.path);
    expect(stdout).toMatch(/^pst_test_\w{38}\n$/);
    expect(stderr).toContain(`${row?.id} expires at ${rotated?.expires}.\n`);
    expect(replacement).toMatchObject({
      name: "test",
      kind: "test",
      scopes: ["read"],
      state: "active",
      expires: null,
    });
    expect((await server.call(old, "/pets")).status).toBe(200);
    expect((await server.call(stdout.trim(), "/pets")).status).toBe(200);
  });

  test("without an overlap has the running server refuse the old key at the next request", async () => {
    using directory = temporaryDirectory();
    const old = await createKey(directory.path);
    const [row] = await list(directory.path);
    await using server = await serve(directory.path);

    const { stdout } = await keys(directory.path, "rotate", row?.id ?? "", "--overlap", "0s");
    expect((await server.call(old, "/pets")).status).toBe(401);
    expect((await server.call(stdout.trim(), "/pets")).status).toBe(200);
    expect((await list(directory.path)).map(({ state }) => state)).toEqual(["expired", "active"]);
  });

  test("does not prolong a key that ends earlier, and does not say so either", async () => {
    using directory = temporaryDirectory();
    await createKey(directory.path, "--expires-in", "1h");
    const [row] = await list(directory.path);
    const { stderr } = await keys(directory.path, "rotate", row?.id ?? "", "--overlap", "2h");
    expect((await list(directory.path))[0]?.expires).toBe(row?.expires);
    expect(stderr).toContain(`expires at ${row?.expires}.\n`);
  });

  test("gives the new key a lifetime as long as the old one had", async () => {
    using directory = temporaryDirectory();
    await createKey(directory.path, "--expires-in", "90d");
    const [row] = await list(directory.path);
    await keys(directory.path, "rotate", row?.id ?? "");
    const replacement = (await list(directory.path))[1];
    expect(lifetimeMs(replacement)).toBe(90 * 86_400_000);
  });

  test("refuses a key that is revoked, and changes nothing", async () => {
    using directory = temporaryDirectory();
    await createKey(directory.path);
    const [row] = await list(directory.path);
    await keys(directory.path, "revoke", row?.id ?? "");
    expect(await keys(directory.path, "rotate", row?.id ?? "")).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: `petstore-server: ${row?.id} is revoked: create a new key\n`,
    });
    expect(await list(directory.path)).toHaveLength(1);
  });
});

test("keys --dev works before there is a development database", async () => {
  using directory = temporaryDirectory();
  const created = await run(directory.path, ["keys", "create", "--name", "first", "--dev"], { environment: {} });
  expect(created).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^pst_live_/) as string });
  expect(readdirSync(join(directory.path, ".data"))).toContain("petstore.db");
});

test.each(["revoke", "rotate"])("keys %s refuses an unknown id with exit code 2", async (command) => {
  using directory = temporaryDirectory();
  await run(directory.path, ["migrate"]);
  expect(await keys(directory.path, command, "key_000000000000")).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: "petstore-server: There is no key key_000000000000. See: petstore-server keys list\n",
  });
});

test("a secret is in no log, no list and no file", async () => {
  using directory = temporaryDirectory();
  const environment = { ...settings, PETSTORE_LOG_LEVEL: "trace" };
  await using server = await serve(directory.path, { environment });
  const key = await createKey(directory.path);
  expect((await server.call(key, "/pets")).status).toBe(200);
  expect((await server.call(key, "/pets", "{")).status).toBe(400);
  expect((await server.call(`${key}x`, "/pets")).status).toBe(401);

  const files = readdirSync(directory.path); // the log of the database too, while it is in use
  expect(files).toContain("petstore.db-wal");
  const stored = files.map((name) => readFileSync(join(directory.path, name), "latin1"));
  const { stdout, stderr } = await server.stop();
  const rows = await list(directory.path);
  const random = key.slice("pst_live_".length, -6);
  expect([...stored, stdout, stderr, JSON.stringify(rows)].filter((text) => text.includes(random))).toEqual([]);
});

function keys(directory: string, ...args: string[]): Promise<Ended> {
  return run(directory, ["keys", ...args]);
}

async function list(directory: string): Promise<Row[]> {
  return JSON.parse((await keys(directory, "list", "--json")).stdout) as Row[];
}

function lifetimeMs(row: Row | undefined): number {
  return Date.parse(row?.expires ?? "") - Date.parse(row?.created ?? "");
}

function words(text: string): string[] {
  return text.split(" ");
}
