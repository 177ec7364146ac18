import { readdirSync, writeFileSync } from "node:fs";
import { expectExit, run } from "@petstore/test-kit/processes";
import { expect } from "vitest";
import { test } from "../support/petstore.ts";

test.for<[command: string, message: string]>([
  ["", "Usage: petstore-server"],
  ["feed", "error: unknown command 'feed'"],
  ["serve --port 80", "error: unknown option '--port'"],
  ["serve now", "error: too many arguments"],
  ["keys", "Usage: petstore-server keys"],
  ["keys create", "error: required option '--name <name>' not specified"],
  ["keys create --name Søren", "It must be 1 to 64 printable ASCII characters."],
  ["keys create --name x --scopes read,admin", "It must be one or more of read,write,orders."],
  ["keys create --name x --expires-in 90", "It must be a number and a unit: s, m, h or d."],
  ["keys rotate", "error: missing required argument 'id'"],
  ["keys rotate key_a --overlap 1y", "It must be a number and a unit: s, m, h or d."],
  ["import cats cats.ndjson", "Allowed choices are pets, orders, keys."],
  ["import pets", "error: missing required argument 'file'"],
  [
    "import pets missing.ndjson",
    "petstore-server: missing.ndjson cannot be read: ENOENT: no such file or directory, open 'missing.ndjson'\n",
  ],
  ["backup", "error: missing required argument 'file'"],
  ["restore", "error: missing required argument 'file'"],
  ["export", "error: missing required argument 'collection'"],
])("`%s` reports the problem, exits with 2 and changes nothing", async ([command, message], { petstore }) => {
  const { stderr } = await expectExit(2, petstore.run(command.split(" ").filter(Boolean)));
  expect(stderr).toContain(message);
  expect(readdirSync(petstore.directory)).toEqual([]);
});

test("--help names every command on standard output and exits with 0", async ({ petstore }) => {
  const { stdout } = await expectExit(0, petstore.run("--help"), { stderr: "" });
  for (const command of ["serve", "keys", "import", "export", "migrate", "backup", "restore", "doctor"])
    expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
});

test.for([
  "serve",
  "keys list",
  "import pets -",
  "import pets - --batches",
  "export orders",
  "migrate",
  "migrate --status",
  "backup copy.db",
])("`%s` rejects a damaged database, and one in memory", async (command, { petstore }) => {
  writeFileSync(petstore.path("petstore.db"), "not a database");
  await expectExit(65, petstore.run(command), {
    stderr: /^petstore-server: \/.*\/petstore\.db is damaged or is not a SQLite database\n$/,
  });
  const only = command === "serve" ? "has no API key: use it with --dev" : "exists only in a running server";
  await expectExit(78, petstore.on("memory:").run(command), {
    stderr: `petstore-server: PETSTORE_DATABASE_URL is memory:, which ${only}\n`,
  });
});

const required = "PETSTORE_DATABASE_URL is required: memory:, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

test.for([
  ["keys list", {}, `has a problem:\n  ${required}`],
  [
    "serve",
    { PETSTORE_PORT: "http", PETSTORE_LOG_LEVEL: "loud" },
    `has 3 problems:
  ${required}
  PETSTORE_PORT must be a whole number from 0 to 65535
  PETSTORE_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent`,
  ],
] as const)("78 from `%s` with %j, and every problem", async ([command, environment, problems], { petstore }) => {
  await expectExit(78, run(petstore.directory, command.split(" "), { environment }), {
    stderr: `petstore-server: The configuration ${problems}\n`,
  });
});
