import {
  chmodSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expectExit, run, serve, temporaryDirectory } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test } from "../support/petstore.ts";

test("0 during writes: a restored backup serves every animal acknowledged before it began", async ({
  petstore,
}) => {
  using empty = temporaryDirectory();
  const key = await petstore.createKey();
  await using server = await petstore.serve();
  const acknowledged: string[] = [];
  const until = new AbortController();
  async function write(): Promise<void> {
    while (!until.signal.aborted) {
      const { status, text } = await server.call(key, "/pets", '{"name":"Bella","categoryId":1}');
      expect(status).toBe(201);
      acknowledged.push(text);
    }
  }
  const writers = Promise.all([write(), write()]);
  await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
  const before = [...acknowledged];
  const made = await petstore.start("backup copy.db").ended;
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before.length);
  until.abort();
  await writers;

  await expectExit(0, made, { stderr: "" });
  const file = petstore.path("copy.db");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(petstore.directory).filter((name) => name.startsWith("copy"))).toEqual([
    "copy.db",
  ]);
  const [, held = ""] = /contains (.*)\.\n$/.exec(made.stdout) ?? [];
  expect(held).toMatch(/^\d+ animals, 0 orders and 1 keys \(schema \d+\)$/);
  const verified = run(petstore.directory, ["restore", "copy.db", "--verify"], { environment: {} });
  await expectExit(0, verified, { stdout: `copy.db is intact and contains ${held}.\n` });

  chmodSync(file, 0o644); // as after a journey
  await expectExit(0, run(empty.path, ["restore", file]), {
    stdout: `Restored petstore.db with ${held}.\n`,
  });
  expect(readdirSync(empty.path)).toEqual(["petstore.db"]);
  expect(statSync(join(empty.path, "petstore.db")).mode & 0o777).toBe(0o600);
  await using restored = await serve(empty.path);
  expect((await restored.call(key, `/pets/${before.length}`)).status).toBe(200);
  const { stdout } = await run(empty.path, ["export", "pets"]);
  expect(before.filter((animal) => !stdout.includes(`${animal}\n`))).toEqual([]);
});

test.for(["file", "dangling link"])(
  "65 and no change if there is a %s with the name of the backup",
  async (kind, { petstore }) => {
    await petstore.createKey();
    if (kind === "file") writeFileSync(petstore.path("copy.db"), "kept");
    else symlinkSync("nowhere", petstore.path("copy.db"));
    await expectExit(65, petstore.run("backup copy.db"), {
      stderr: /^petstore-server: \S+\/copy\.db already exists: move it away first\n$/,
    });
    if (kind === "file") expect(readFileSync(petstore.path("copy.db"), "utf8")).toBe("kept");
    else expect(readlinkSync(petstore.path("copy.db"))).toBe("nowhere");
    expect(readdirSync(petstore.directory).toSorted()).toEqual(["copy.db", "petstore.db"]);
  },
);

test("65 and no change if the database to restore already exists", async ({ petstore }) => {
  await petstore.createKey();
  await petstore.run("backup copy.db");
  const before = readFileSync(petstore.path("petstore.db"));
  await expectExit(65, petstore.run("restore copy.db"), {
    stderr: /petstore\.db already exists: move it away first/,
  });
  expect(readFileSync(petstore.path("petstore.db")).equals(before)).toBe(true);
  expect(readdirSync(petstore.directory).toSorted()).toEqual(["copy.db", "petstore.db"]);
});

test("65 for a restore next to the log of a server that still uses a removed file", async ({
  petstore,
}) => {
  await petstore.createKey();
  await petstore.run("backup copy.db");
  await using user = await petstore.hold("DELETE FROM pets");
  rmSync(petstore.path("petstore.db"));
  await expectExit(65, petstore.run("restore copy.db"), {
    stderr: /petstore\.db-(wal|shm) exists: a server uses the database, or has used it\./,
  });
  expect(readdirSync(petstore.directory)).not.toContain("petstore.db");
  user.kill("SIGKILL");
});

/** Enough animals for several pages of the file. */
const animals = Array.from(
  { length: 2_000 },
  (_, id) => `{"id":${id},"name":"Bella","categoryId":1}\n`,
).join("");

const damages: Record<string, (file: string, whole: Buffer) => void> = {
  damaged: (file, whole) => writeFileSync(file, Buffer.from(whole).fill(0xaa, 4_096, 20_000)),
  truncated: (file, whole) => writeFileSync(file, whole.subarray(0, whole.length - 8_192)),
  foreign: (file) => writeFileSync(file, "foreign"),
  missing: (file) => rmSync(file),
  // Only a comparison of the index with its table finds this.
  "inconsistent in an index": (file) => {
    using database = new DatabaseSync(file, { defensive: false });
    database.exec("PRAGMA writable_schema = ON");
    database.exec(
      `UPDATE sqlite_schema SET sql = replace(sql, '(status, id)', '(name, id)')
       WHERE name = 'pets_by_status'`,
    );
  },
};

describe.for(["restore copy.db", "restore copy.db --verify"])("%s", (command) => {
  test.for(Object.entries(damages))(
    "65 for a backup that is %s, and no file is left",
    async ([_what, damage], { petstore }) => {
      await petstore.run("import pets -", animals);
      await petstore.run("backup copy.db");
      const file = petstore.path("copy.db");
      damage(file, readFileSync(file));
      const files = readdirSync(petstore.directory).toSorted();
      await expectExit(65, petstore.on("sqlite:new.db").run(command), {
        stderr: /^petstore-server: .+\n$/,
      });
      expect(readdirSync(petstore.directory).toSorted()).toEqual(files);
    },
  );
});

test("65 for a backup when there is no directory to put it in", async ({ petstore }) => {
  await petstore.createKey();
  await expectExit(65, petstore.run("backup missing/copy.db"), {
    stderr: /copy\.db cannot be created: the directory does not exist\n$/,
  });
});

test("65 for a backup when the disk is full, and no file is left", async ({ petstore }) => {
  await petstore.createKey();
  await expectExit(65, petstore.shell('ulimit -f 4 && exec "$@" backup small').ended, {
    stderr: /^petstore-server: \S+\/small cannot be written: .+\n$/,
  });
  expect(readdirSync(petstore.directory).filter((name) => name.startsWith("small"))).toEqual([]);
});

test.for([
  ["backup", "back it up with pg_dump or pg_basebackup"],
  ["restore", "restore it with pg_restore, or from a base backup"],
])("2 for %s of PostgreSQL: %s", async ([command, advice], { petstore }) => {
  const onPostgres = petstore.on("postgres://127.0.0.1:1/petstore");
  await expectExit(2, onPostgres.run(`${command} copy.db`), {
    stderr: `petstore-server: The database is PostgreSQL: ${advice}\n`,
  });
});
