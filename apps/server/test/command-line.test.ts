import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKey, run, settings, start, temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

test.each<[command: string, message: string]>([
  ["", "Usage: petstore-server"],
  ["feed", "error: unknown command 'feed'"],
  ["serve --port 80", "error: unknown option '--port'"],
  ["serve now", "error: too many arguments"],
  ["keys", "Usage: petstore-server keys"],
  ["keys create", "error: required option '--name <name>' not specified"],
  ["keys create --name Søren", "It must be 1 to 64 printable ASCII characters."],
  ["keys create --name x --scopes read,admin", "It must be some of read,write,orders."],
  ["keys create --name x --expires-in 90", "It must be a number and a unit: s, m, h or d."],
  ["keys rotate", "error: missing required argument 'id'"],
  ["keys rotate key_a --overlap 1y", "It must be a number and a unit: s, m, h or d."],
  ["import cats cats.ndjson", "Allowed choices are pets, orders, keys."],
  ["import pets", "error: missing required argument 'file'"],
  ["backup", "error: missing required argument 'file'"],
  ["restore", "error: missing required argument 'file'"],
  ["export", "error: missing required argument 'collection'"],
])("`petstore-server %s` is told what is wrong, exits with 2 and touches nothing", async (command, message) => {
  using directory = temporaryDirectory();
  const { exitCode, stdout, stderr } = await run(directory.path, command.split(" ").filter(Boolean));
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(readdirSync(directory.path)).toEqual([]);
});

test("--help names every command on standard output and exits with 0", async () => {
  using directory = temporaryDirectory();
  const { exitCode, stdout, stderr } = await run(directory.path, ["--help"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  for (const command of ["serve", "keys", "import", "export", "migrate", "backup", "restore", "doctor"])
    expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
});

const commands = [
  ["serve"],
  ["keys", "list"],
  ["import", "pets", "-"],
  ["import", "pets", "-", "--batches"],
  ["export", "orders"],
  ["migrate"],
  ["migrate", "--status"],
  ["backup", "copy.db"],
];

describe.each(commands.map((args) => ({ command: args.join(" "), args })))("$command", ({ args }) => {
  test("on a damaged database says so in one line, and exits with 65", async () => {
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, "petstore.db"), "not a database");
    const { exitCode, stdout, stderr } = await run(directory.path, args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 65, stdout: "" });
    expect(stderr).toMatch(/^petstore-server: \/.*\/petstore\.db is damaged or is not a SQLite database\n$/);
  });
});

describe.each(commands.slice(1).map((args) => ({ command: args.join(" "), args })))("$command", ({ args }) => {
  test("refuses a database in memory, which only a server has, and exits with 78", async () => {
    using directory = temporaryDirectory();
    const environment = { PETSTORE_DATABASE_URL: "memory:" };
    expect(await run(directory.path, args, { environment })).toMatchObject({
      exitCode: 78,
      stdout: "",
      stderr: "petstore-server: PETSTORE_DATABASE_URL is memory:, which only a running server has\n",
    });
  });
});

test("without a database is told which setting is missing, and exits with 78", async () => {
  using directory = temporaryDirectory();
  expect(await run(directory.path, ["keys", "list"], { environment: {} })).toMatchObject({
    exitCode: 78,
    stdout: "",
    stderr:
      "petstore-server: The configuration has a problem:\n  PETSTORE_DATABASE_URL is required: memory:, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE\n",
  });
});

test("a database that another process has locked is said to be so in one line, and exits with 69", async () => {
  using directory = temporaryDirectory();
  await createKey(directory.path);
  const script = `
    const database = new (require("node:sqlite").DatabaseSync)("petstore.db");
    database.exec("BEGIN IMMEDIATE");
    console.log("locked");
    setInterval(() => database, 1_000_000);`;
  await using locker = start(process.execPath, ["--eval", script], { directory: directory.path });
  await locker.printed(/locked/);
  expect(await run(directory.path, ["keys", "create", "--name", "x"])).toMatchObject({
    exitCode: 69,
    stdout: "",
    stderr: "petstore-server: petstore.db is locked by another process\n",
  });
});

test("a file that cannot be read is named in one line", async () => {
  using directory = temporaryDirectory();
  const { exitCode, stderr } = await run(directory.path, ["import", "pets", "missing.ndjson"], {
    environment: settings,
  });
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    "petstore-server: missing.ndjson cannot be read: ENOENT: no such file or directory, open 'missing.ndjson'\n",
  );
  expect(existsSync(join(directory.path, "petstore.db"))).toBe(false);
});
