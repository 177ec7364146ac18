import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  createKey,
  petstoreServer,
  run,
  serve,
  settings,
  start,
  temporaryDirectory,
} from "@petstore/test-kit/processes";
import { expect, test, vi } from "vitest";
import { createDatabase } from "./postgres-database.ts";

vi.setConfig({ testTimeout: 60_000 });

test("0 during writes: the backup holds each animal acknowledged before it began, and a server runs on it elsewhere", async () => {
  using directory = temporaryDirectory();
  using empty = temporaryDirectory();
  const key = await createKey(directory.path);
  await using server = await serve(directory.path);
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
  const made = await run(directory.path, ["backup", "copy.db"]);
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before.length);
  until.abort();
  await writers;

  expect(made).toMatchObject({ exitCode: 0, stderr: "" });
  const file = join(directory.path, "copy.db");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory.path).filter((name) => name.startsWith("copy"))).toEqual(["copy.db"]);
  const verified = await run(directory.path, ["restore", "copy.db", "--verify"], { environment: {} });
  const [, held = ""] = /holds (.*)\.\n$/.exec(made.stdout) ?? [];
  expect(held).toMatch(/^\d+ animals, 0 orders and 1 keys \(schema \d+\)$/);
  expect(verified).toMatchObject({ exitCode: 0, stdout: `copy.db is whole, and holds ${held}.\n` });

  chmodSync(file, 0o644); // as after a journey
  expect(await run(empty.path, ["restore", file])).toMatchObject({
    exitCode: 0,
    stdout: `petstore.db is restored, with ${held}.\n`,
  });
  expect(readdirSync(empty.path)).toEqual(["petstore.db"]);
  expect(statSync(join(empty.path, "petstore.db")).mode & 0o777).toBe(0o600);
  await using restored = await serve(empty.path);
  const last = before.length;
  expect((await restored.call(key, `/pets/${last}`)).status).toBe(200);
  const { stdout } = await run(empty.path, ["export", "pets"]);
  expect(before.filter((animal) => !stdout.includes(`${animal}\n`))).toEqual([]);
});

test("65 and nothing changed where the file of the backup, or the database to restore, is there already", async () => {
  using directory = temporaryDirectory();
  await createKey(directory.path);
  writeFileSync(join(directory.path, "kept.db"), "kept");
  expect(await run(directory.path, ["backup", "kept.db"])).toMatchObject({
    exitCode: 65,
    stdout: "",
    stderr: expect.stringMatching(/kept\.db exists: it is left as it is\. Move it away first\n$/) as string,
  });
  expect(readFileSync(join(directory.path, "kept.db"), "utf8")).toBe("kept");

  await run(directory.path, ["backup", "copy.db"]);
  const before = readFileSync(join(directory.path, "petstore.db"));
  expect(await run(directory.path, ["restore", "copy.db"])).toMatchObject({
    exitCode: 65,
    stdout: "",
    stderr: expect.stringMatching(/petstore\.db exists: it is left as it is/) as string,
  });
  expect(readFileSync(join(directory.path, "petstore.db")).equals(before)).toBe(true);
  expect(readdirSync(directory.path).toSorted()).toEqual(["copy.db", "kept.db", "petstore.db"]);
});

test("65 for a restore beside the log of a server that still runs on a removed file", async () => {
  using directory = temporaryDirectory();
  await createKey(directory.path);
  await run(directory.path, ["backup", "copy.db"]);
  await using server = await serve(directory.path);
  expect(server.url).toContain("/v1");
  rmSync(join(directory.path, "petstore.db"));
  expect(await run(directory.path, ["restore", "copy.db"])).toMatchObject({
    exitCode: 65,
    stderr: expect.stringMatching(/petstore\.db-(wal|shm) is there: a server uses the database, or did\./) as string,
  });
  expect(readdirSync(directory.path)).not.toContain("petstore.db");
});

test("65 for a backup that is damaged, cut short, foreign or missing, with and without --verify, and no file is left", async () => {
  using directory = temporaryDirectory();
  await run(directory.path, ["import", "pets", "-"], { input: '{"name":"Bella","categoryId":1}\n'.repeat(2_000) });
  await run(directory.path, ["backup", "copy.db"]);
  const whole = readFileSync(join(directory.path, "copy.db"));
  const damaged = Buffer.from(whole);
  damaged.fill(0xaa, 4_096, 20_000);
  writeFileSync(join(directory.path, "damaged.db"), damaged);
  writeFileSync(join(directory.path, "short.db"), whole.subarray(0, whole.length - 8_192));
  writeFileSync(join(directory.path, "foreign.db"), "foreign");
  {
    // Only a comparison of the index with its table finds this.
    writeFileSync(join(directory.path, "index.db"), whole);
    using database = new DatabaseSync(join(directory.path, "index.db"), { defensive: false });
    database.exec("PRAGMA writable_schema = ON");
    database.exec(
      "UPDATE sqlite_schema SET sql = replace(sql, '(status, id)', '(name, id)') WHERE name = 'pets_by_status'",
    );
  }
  const files = readdirSync(directory.path).toSorted();
  const environment = { ...settings, PETSTORE_DATABASE_URL: "sqlite:new.db" };
  for (const file of ["damaged.db", "short.db", "foreign.db", "index.db", "missing.db"]) {
    for (const options of [[], ["--verify"]]) {
      const refused = await run(directory.path, ["restore", file, ...options], { environment });
      expect({ file, ...refused }).toMatchObject({ file, exitCode: 65, stdout: "" });
      expect(refused.stderr).toMatch(/^petstore-server: .+\n$/);
    }
  }
  expect(readdirSync(directory.path).toSorted()).toEqual(files);
});

test("65 when there is nothing to back up, or no directory to put it in", async () => {
  using directory = temporaryDirectory();
  const refused = await run(directory.path, ["backup", "copy.db"]);
  expect(refused).toMatchObject({ exitCode: 65, stdout: "" });
  expect(refused.stderr).toMatch(/petstore\.db does not exist: there is nothing to back up\n$/);
  expect(readdirSync(directory.path)).toEqual([]);
  await createKey(directory.path);
  const { stderr } = await run(directory.path, ["backup", "missing/copy.db"]);
  expect(stderr).toMatch(/copy\.db cannot be created: the directory does not exist\n$/);
});

test.each([
  ["backup", "back it up with pg_dump or pg_basebackup"],
  ["restore", "restore it with pg_restore, or from a base backup"],
])("2 for %s of PostgreSQL, with the tool to use", async (command, advice) => {
  using directory = temporaryDirectory();
  await using database = await createDatabase();
  const environment = { PETSTORE_DATABASE_URL: database.url };
  expect(await run(directory.path, [command, "copy.db"], { environment })).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: `petstore-server: The database is PostgreSQL: ${advice}\n`,
  });
});

test("65 and one line when the disk of a backup is full, or its name is a link that leads nowhere", async () => {
  using directory = temporaryDirectory();
  await createKey(directory.path);
  symlinkSync("nowhere", join(directory.path, "link"));
  const linked = await run(directory.path, ["backup", "link"]);
  expect(linked.exitCode).toBe(65);
  expect(linked.stderr).toMatch(/^petstore-server: \S+\/link exists: it is left as it is\. Move it away first\n$/);

  const command = ["-c", 'ulimit -f 4 && exec "$@"', "sh", process.execPath, petstoreServer, "backup", "small"];
  await using limited = start("/bin/sh", command, { directory: directory.path, environment: settings });
  const { exitCode, stderr } = await limited.ended;
  expect(exitCode).toBe(65);
  expect(stderr).toMatch(/^petstore-server: \S+\/small cannot be written: .+\n$/);
  expect(readdirSync(directory.path).filter((name) => name.startsWith("small"))).toEqual([]);
});
