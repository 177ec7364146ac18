import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test, type Petstore } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { openStore } from "../support/stores.ts";

interface Entry {
  at: string;
  operator: string;
  action: string;
  [detail: string]: unknown;
}

async function entriesOf(petstore: Petstore): Promise<Entry[]> {
  const { stdout } = await expectExit(0, petstore.run("audit"));
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Entry);
}

function urlOf({ environment }: Petstore): string {
  return environment["PETSTORE_DATABASE_URL"] ?? "";
}

function jsonWith(secret: string): Record<string, string> {
  return { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" };
}

const bella = '{"id":1,"name":"Bella","categoryId":1,"status":"sold"}\n';

test.for(["SQLite", "PostgreSQL"])(
  "0 for audit on %s: who changed what, oldest first, without a secret, and nothing that changed nothing",
  async (name, { petstore: file, onPostgres }) => {
    const petstore = name === "SQLite" ? file : onPostgres;
    const secret = await petstore.createKey();
    const [{ id = "" } = {}] = JSON.parse((await petstore.run("keys list --json")).stdout) as {
      id?: string;
    }[];
    await petstore.run(`keys revoke ${id}`);
    await petstore.run("keys revoke key_000000000000");
    await petstore.run("import pets -", bella);
    await petstore.run("import pets -", bella);
    await petstore.run("import pets --replace -", bella.replace("sold", "available"));
    await petstore.run("import orders -", '{"id":1}\n');
    const entries = await entriesOf(petstore);
    expect(entries.map(({ at: _at, operator: _operator, ...entry }) => entry)).toEqual([
      { action: "key_issued", key: id },
      { action: "key_revoked", key: id },
      { action: "pets_imported", stored: 1, changed: 0, skipped: 0 },
      { action: "pets_imported", stored: 0, changed: 1, skipped: 0 },
      { action: "orders_imported", stored: 1, changed: 0, skipped: 0 },
    ]);
    expect(new Set(entries.map(({ operator }) => operator)).size).toBe(1);
    expect(entries[0]?.operator).toMatch(/^.+@.+$/);
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
    expect(JSON.stringify(entries)).not.toContain(secret.slice(9, 41));
  },
);

test("0 for audit --pet: who changed and removed an animal, and what it was; keys list shows the use of the key", async ({
  petstore,
}) => {
  await petstore.run("import pets -", bella);
  const secret = (
    await petstore.run("keys create --name desk --scopes write,remove")
  ).stdout.trim();
  await petstore.createKey();
  const before = Date.now();
  {
    await using server = await petstore.serve();
    for (const [method, body] of [["PATCH", '{"status":"pending"}'], ["DELETE"]] as const) {
      const headers = { ...jsonWith(secret), "X-Request-Id": `my-${method}` };
      expect(
        (await fetch(`${server.url}/pets/1`, { method, headers, ...(body && { body }) })).ok,
      ).toBe(true);
    }
    await server.stop();
  }
  const listed = JSON.parse((await petstore.run("keys list --json")).stdout) as {
    lastUsed: string | null;
  }[];
  expect(Date.parse(listed[0]?.lastUsed ?? "")).toBeGreaterThanOrEqual(before);
  expect(listed[1]?.lastUsed).toBeNull();
  const changes = async (): Promise<Entry[]> =>
    (await petstore.run("audit --pet 1")).stdout
      .split("\n", 9)
      .flatMap((line) => (line === "" ? [] : JSON.parse(line)));
  const by = { key: expect.stringMatching(/^key_/) as string, name: "desk" };
  const reserved = { id: 1, name: "Bella", categoryId: 1, status: "pending" };
  const [change, removal] = await changes();
  expect(change).toMatchObject({
    ...by,
    requestId: "my-PATCH",
    action: "pet_updated",
    previous: JSON.parse(bella),
  });
  expect(removal).toMatchObject({
    ...by,
    requestId: "my-DELETE",
    action: "pet_removed",
    previous: reserved,
  });
  await petstore.run("import pets -", bella);
  await petstore.run("import pets --replace -", bella.replace("sold", "pending"));
  const operator = expect.stringContaining("@") as string;
  expect((await changes()).slice(2)).toEqual([
    { at: expect.any(String) as string, operator, action: "pet_put_back" },
    {
      at: expect.any(String) as string,
      operator,
      action: "pet_updated",
      previous: JSON.parse(bella) as unknown,
    },
  ]);
  expect((await petstore.run("audit --pet 2")).stdout).toBe("");
  expect(JSON.stringify(await changes())).not.toContain(secret.slice(9, 41));
});

const page = readFileSync(new URL("../../../../docs/server.md", import.meta.url), "utf8");
const [, putBack = ""] = /^```sh\n(petstore-server audit --pet 6 [^]*?)^```$/m.exec(page) ?? [];

test.for(["SQLite", "PostgreSQL"])(
  "0 on %s for the lines of the page that put an animal back, with a name like the next member and a number beyond 2^53",
  async (name, { petstore: file, onPostgres }) => {
    const petstore = name === "SQLite" ? file : onPostgres;
    const animal = `{"id":6,"name":"\\",\\"previous\\":{}}","categoryId":9007199254740993,"status":"sold"}\n`;
    await petstore.run("import pets -", animal);
    const store = await openStore(
      name === "SQLite" ? `sqlite:${file.path("petstore.db")}` : urlOf(onPostgres),
    );
    await store.deletePet(6);
    await store.close();
    await expectExit(0, petstore.runLines(putBack), {
      stderr: "1 pets stored, 0 already stored.\n",
    });
    expect((await petstore.run("export pets")).stdout).toBe(animal);
  },
);

test("the audit trail names the user who called sudo", async ({ petstore }) => {
  Object.assign(petstore.environment, { SUDO_USER: "anna" });
  await petstore.createKey();
  expect((await entriesOf(petstore))[0]?.operator).toMatch(/^anna@/);
});

const rewrites = ["UPDATE audit SET operator = 'eve'", "DELETE FROM audit"];
const onlyGrows = "the audit trail only grows";

test.for(rewrites)("the audit trail rejects on SQLite: %s", async (sql, { petstore }) => {
  await petstore.createKey();
  using file = new DatabaseSync(petstore.path("petstore.db"));
  expect(() => file.exec(sql)).toThrow(onlyGrows);
});

test.for([...rewrites, "TRUNCATE audit"])(
  "the audit trail rejects on PostgreSQL: %s",
  async (sql, { onPostgres }) => {
    await onPostgres.createKey();
    await expect(runSql(urlOf(onPostgres), sql)).rejects.toThrow(onlyGrows);
  },
);

test("the metrics tell when petstore-server backup last succeeded", async ({ petstore }) => {
  const before = Date.now();
  await petstore.run("migrate");
  const store = await openStore(`sqlite:${petstore.path("petstore.db")}`);
  expect(await store.lastBackupAt?.()).toBeUndefined();
  await expectExit(0, petstore.run("backup copy.db"));
  expect(await store.lastBackupAt?.()).toBeGreaterThanOrEqual(before);
  await store.close();
  expect((await entriesOf(petstore)).at(-1)).toMatchObject({
    action: "backed_up",
    file: petstore.path("copy.db"),
  });
});
