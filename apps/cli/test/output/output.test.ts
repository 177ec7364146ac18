import type { Pet } from "@petstore/client";
import type { Ended } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { animals, startCatalogue, type Catalogue } from "../support/catalogue.ts";
import { parseCsv } from "../support/csv.ts";
import { petstore, startScript } from "../support/petstore.ts";

const formats = ["table", "json", "ndjson", "csv"] as const;

/** The list in every format, of a server with these animals. */
async function printed(
  pets: readonly Partial<Pet>[],
  ...args: readonly string[]
): Promise<Record<(typeof formats)[number], string>> {
  await using server = await startCatalogue(
    pets.map((pet) => ({ ...animals(1)[0], ...pet }) as Pet),
  );
  const texts = { table: "", json: "", ndjson: "", csv: "" };
  for (const format of formats) {
    const { stdout, stderr, exitCode } = await petstore(["pets", "list", "-o", format, ...args], {
      server,
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
    texts[format] = stdout;
  }
  return texts;
}

function rexAsJson(id: number): string {
  return `{"id":${id},"name":"Rex","categoryId":7,"status":"sold"}`;
}

test("0: a list in each format, through a pipe", async () => {
  expect(await printed(animals(2, { name: "Rex", status: "sold" }))).toEqual({
    table:
      "ID  NAME  CATEGORY ID  STATUS\n 1  Rex             7  sold\n 2  Rex             7  sold\n",
    csv: "id,name,categoryId,status,reference\n1,Rex,7,sold,\n2,Rex,7,sold,\n",
    ndjson: `${rexAsJson(1)}\n${rexAsJson(2)}\n`,
    json: `[\n${rexAsJson(1)},\n${rexAsJson(2)}\n]\n`,
  });
  const none = {
    table: "",
    csv: "id,name,categoryId,status,reference\n",
    ndjson: "",
    json: "[\n]\n",
  };
  expect(await printed([], "--quiet")).toEqual(none);
});

const formulas = [
  "=HYPERLINK(1)",
  "+1",
  "-1",
  "@SUM(1)",
  "\tx",
  "\rx",
  "\n=1",
  "＝1",
  "＋1",
  "－1",
  "＠1",
  "'quoted",
];

test("0: in csv an apostrophe keeps a name from being a formula, and a negative number stays one", async () => {
  const pets = formulas.map((each, index) => ({ id: index - 100, name: each, categoryId: -7 }));
  const { csv } = await printed(pets);
  const cells = formulas.map((each, index) => [
    String(index - 100),
    `'${each}`,
    "-7",
    "available",
    "",
  ]);
  expect(parseCsv(csv).slice(1)).toEqual(cells);
});

/** Runs a script in which `petstore` is a command, as in a shell. */
function bash(server: Pick<Catalogue, "url" | "apiKey">, script: string): Promise<Ended> {
  return startScript(script.replace("petstore", '"$@"'), { server }).ended;
}

test("0: a reader that stops ends the list", async () => {
  await using server = await startCatalogue(animals(10_000, { name: "x".repeat(250) }));
  const { stdout, stderr } = await bash(
    server,
    `petstore pets list --all | head -1; echo "\${PIPESTATUS[@]}"`,
  );
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^.+\n0 0\n$/);
  // Of 100. As much as the pipe holds.
  expect(server.pages()).toBeLessThan(50);
});

test("0: a reader of notes may stop without any effect", async () => {
  await using server = await startCatalogue(animals(1_000));
  const { stdout, stderr } = await bash(
    server,
    `PETSTORE_LOG=debug petstore pets list --all 2>&1 >animals | head -1; echo "\${PIPESTATUS[@]}"; wc -l <animals`,
  );
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^petstore \{"type":"request".*\n0 0\n *1000\n$/);
});

/**
 * Fills the pipe that is its standard output, and starts the program with it. Through 3, because
 * Node would make 1 wait for room.
 */
const fullPipe = `
  const { spawn } = require("node:child_process");
  process.stdout.write("x".repeat(1_000_000));
  const command = ["-c", 'exec "$@" >&3', "sh", process.execPath, ...process.argv.slice(1)];
  spawn("sh", command, { stdio: ["ignore", "ignore", "inherit", 1] });`;

test("0: help is complete even if a pipe is full", async () => {
  await using running = startScript(`"$1" -e "$FILL" "$2" --help | (sleep 0.5; cat)`, {
    environment: { FILL: fullPipe },
  });
  const { stdout, stderr } = await running.ended;
  const { stdout: help } = await petstore("--help");
  expect([stdout.replaceAll(/x{2,}/g, ""), stderr]).toEqual([help, ""]);
});

const message = "The output cannot be written: ENOSPC: no space left on device, write";
const hint = "The request succeeded: only its output failed";
/** In a pipe, with the default output. */
function asJson(error: { message: string; hint: string }): string {
  return `${JSON.stringify({ error: { code: "unexpected", ...error, exitCode: 1 } })}\n`;
}

test("1: output for a full disk is reported, and the animal is added", async () => {
  await using server = await startCatalogue([]);
  const added = await bash(
    server,
    "petstore pets create --name Rex --category-id 1 -o table >/dev/full",
  );
  expect(added).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: `error: ${message}\nhint: ${hint}\n`,
  });
  expect(await server.store.listPets({ limit: 9 })).toHaveLength(1);
  const stderr = asJson({
    message,
    hint: "Check where the output goes, such as the space on the disk",
  });
  expect(await bash(server, "petstore --help >/dev/full")).toMatchObject({ exitCode: 1, stderr });
});

test("1: a disk that fills up in the middle of a list ends it", async () => {
  await using server = await startCatalogue(animals(10_000, { name: "x".repeat(250) }));
  const script =
    "ulimit -f 100; trap '' XFSZ; petstore pets list --all >animals; echo $?; wc -c <animals";
  const { stdout, stderr } = await bash(server, script);
  expect(stdout).toMatch(/^1\n *102400\n$/);
  expect(stderr).toBe(
    asJson({ message: "The output cannot be written: EFBIG: file too large, write", hint }),
  );
  expect(server.pages()).toBeLessThan(50);
});
