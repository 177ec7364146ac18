import { readdirSync, writeFileSync } from "node:fs";
import { read } from "@petstore/test-kit/checkout";
import { expectExit, run } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test } from "../support/petstore.ts";

test.for<[command: string, message: string]>([
  ["", "Usage: petstore-server"],
  ["feed", "error: unknown command 'feed'"],
  ["serve --port 80", "error: unknown option '--port'"],
  ["keys create", "error: required option '--name <name>' not specified"],
  ["keys create --name Søren", "It must be 1 to 64 printable ASCII characters."],
  [
    "keys create --name x --scopes read,admin",
    "It must be one or more of read,write,orders,remove.",
  ],
  [
    "keys create --name x --expires-in 1y",
    "It must be a number above zero and a unit: s, m, h or d.",
  ],
  ["import orders - --replace", "--replace is for pets"],
  ["import cats cats.ndjson", "Allowed choices are pets, orders, numbering, keys."],
  [
    "import pets missing.ndjson",
    "petstore-server: missing.ndjson cannot be read: ENOENT: no such file or directory, open 'missing.ndjson'\n",
  ],
])(
  "`%s` reports the problem, exits with 2 and changes nothing",
  async ([command, message], { petstore }) => {
    const { stderr } = await expectExit(2, petstore.run(command.split(" ").filter(Boolean)));
    expect(stderr).toContain(message);
    expect(readdirSync(petstore.directory)).toEqual([]);
  },
);

test("0: --version prints the version of the client, with which the server is released", async ({
  petstore,
}) => {
  const client = JSON.parse(read("packages/client/package.json")) as { version: string };
  await expectExit(0, petstore.run("--version"), { stdout: `${client.version}\n`, stderr: "" });
});

test("0: --help names every command on standard output", async ({ petstore }) => {
  const { stdout } = await expectExit(0, petstore.run("--help"), { stderr: "" });
  const named = Array.from(stdout.matchAll(/^  ([a-z]+)\b/gm), ([, name]) => name);
  expect(named).toEqual(
    expect.arrayContaining([
      "serve",
      "keys",
      "import",
      "export",
      "migrate",
      "backup",
      "restore",
      "doctor",
    ]),
  );
});

const onDatabase = ["serve", "keys list", "import pets -", "migrate --status", "backup copy.db"];

test.for(onDatabase)("65 for `%s` on a damaged database", async (command, { petstore }) => {
  writeFileSync(petstore.path("petstore.db"), "not a database");
  await expectExit(65, petstore.run(command), {
    stderr:
      /^petstore-server: \/.*\/petstore\.db is damaged or is not a SQLite database: correct its path, or restore a backup\n$/,
  });
});

test("1 for `doctor` on a damaged database", async ({ petstore }) => {
  writeFileSync(petstore.path("petstore.db"), "not a database");
  await expectExit(1, petstore.run("doctor"), {
    stdout: /^problem: \S+petstore\.db is damaged .+\n$/,
    stderr: "petstore-server: There is a problem.\n",
  });
});

test.for(onDatabase)("78 for `%s` on a database in memory", async (command, { petstore }) => {
  const only =
    command === "serve" ? "has no API key: use it with --dev" : "exists only in a running server";
  await expectExit(78, petstore.on("memory:").run(command), {
    stderr: `petstore-server: PETSTORE_DATABASE_URL is memory:, which ${only}\n`,
  });
});

test("78 for a wrong configuration, with every problem", async ({ petstore }) => {
  const environment = { PETSTORE_PORT: "http", PETSTORE_LOG_LEVEL: "loud" };
  await expectExit(78, run(petstore.directory, ["keys", "list"], { environment }), {
    stderr: /^petstore-server: The configuration has 3 problems:\n(?: {2}PETSTORE_\w+ .+\n){3}$/,
  });
});
