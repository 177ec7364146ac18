import { readFileSync, readdirSync } from "node:fs";
import { expectExit } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test, type Petstore } from "../support/petstore.ts";

interface Row {
  id: string;
  name: string;
  kind: string;
  scopes: string[];
  state: string;
  created: string;
  expires: string | null;
}

const dayMs = 86_400_000;

describe("keys create", () => {
  test("prints the secret alone on standard output, and the rest on standard error", async ({
    petstore,
  }) => {
    await expectExit(0, petstore.run(["keys", "create", "--name", "shop front"]), {
      stdout: /^pst_live_[0-9A-Za-z]{38}\n$/,
      stderr:
        /^Created \/\S+\/petstore\.db\.\nIssued key_[0-9A-Za-z]{12} \(shop front\)\. Save the key below: it is not shown again\.\n$/,
    });
  });

  test("accepts a kind, scopes and a lifetime", async ({ petstore }) => {
    const before = Date.now();
    const secret = await petstore.createKey("--test --scopes orders,read --expires-in 90d");
    const after = Date.now();
    expect(secret).toMatch(/^pst_test_/);
    const [row] = await list(petstore);
    expect(row).toMatchObject({
      name: "test",
      kind: "test",
      scopes: ["read", "orders"],
      state: "active",
    });
    expect(Date.parse(row?.expires ?? "")).toBeGreaterThanOrEqual(before + 90 * dayMs);
    expect(Date.parse(row?.expires ?? "")).toBeLessThanOrEqual(after + 90 * dayMs);
  });
});

test("keys list prints a table, oldest first, without a secret", async ({ petstore }) => {
  await petstore.run("migrate");
  await expectExit(0, petstore.run("keys list"), {
    stdout: "There are no keys. Issue one with: petstore-server keys create --name NAME\n",
  });
  const secrets = [await petstore.createKey(), await petstore.createKey()];
  const [first] = await list(petstore);
  await petstore.run(`keys revoke ${first?.id}`);
  const { stdout } = await petstore.run("keys list");
  const rows = stdout.trimEnd().split("\n");
  expect(rows[0]).toMatch(/^ID +NAME +KIND +SCOPES +STATE +CREATED +EXPIRES +LAST USED$/);
  expect(rows[1]).toMatch(
    /^key_\w{12} +test +live +read,write,orders +revoked +\S+Z +never +never$/,
  );
  expect(rows[2]).toMatch(
    /^key_\w{12} +test +live +read,write,orders +active +\S+Z +never +never$/,
  );
  expect(rows).toHaveLength(3);
  for (const secret of secrets) expect(stdout).not.toContain(secret.slice(9, 41));
});

test("a running server soon accepts a new key, for its scopes, and soon rejects it after it is revoked", async ({
  petstore,
}) => {
  await using server = await petstore.serve();
  const statusOf = async (key: string, path = "/pets") => (await server.call(key, path)).status;
  const key = await petstore.createKey("--scopes orders");
  await expect.poll(() => statusOf(key, "/store/orders")).toBe(200);
  expect(await statusOf(key)).toBe(403);
  const [row] = await list(petstore);
  await expectExit(0, petstore.run(`keys revoke ${row?.id}`), {
    stdout: "",
    stderr: `Revoked ${row?.id}.\n`,
  });
  await expect.poll(() => statusOf(key)).toBe(401);

  server.kill("SIGKILL");
  await server.ended;
  await using restarted = await petstore.serve();
  expect((await restarted.call(key, "/pets")).status).toBe(401);
  expect((await list(petstore))[0]).toEqual({ ...row, state: "revoked" });
});

test("2 from keys revoke for an unknown id", async ({ petstore }) => {
  await petstore.run("migrate");
  await expectExit(2, petstore.run("keys revoke key_000000000000"), {
    stderr: "petstore-server: There is no key key_000000000000. See: petstore-server keys list\n",
  });
});

test("a secret is in no log, no list and no file", async ({ petstore }) => {
  await using server = await petstore.serve({ PETSTORE_LOG_LEVEL: "trace" });
  const key = await petstore.createKey();
  expect((await server.call(key, "/pets")).status).toBe(200);
  expect((await server.call(key, "/pets", "{")).status).toBe(400);
  expect((await server.call(`${key}x`, "/pets")).status).toBe(401);

  const files = readdirSync(petstore.directory); // the log of the database too, while it is in use
  expect(files).toContain("petstore.db-wal");
  const stored = files.map((name) => readFileSync(petstore.path(name), "latin1"));
  const { stdout, stderr } = await server.stop();
  const rows = await list(petstore);
  const random = key.slice("pst_live_".length, -6);
  expect(
    [...stored, stdout, stderr, JSON.stringify(rows)].filter((text) => text.includes(random)),
  ).toEqual([]);
});

async function list(petstore: Petstore): Promise<Row[]> {
  return JSON.parse((await petstore.run("keys list --json")).stdout) as Row[];
}
