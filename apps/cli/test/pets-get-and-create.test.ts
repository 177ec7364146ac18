import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { INT64_MAX, INT64_MIN, parseJson } from "@petstore/contract/int64";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { temporaryDirectory, type Ended } from "@petstore/test-kit/processes";
import { expect, onTestFinished, test } from "vitest";
import { parseLines } from "./catalogue.ts";
import { connected, petstore, petstoreInTerminal } from "./petstore.ts";

const binary = fileURLToPath(new URL("../dist/petstore.js", import.meta.url));

const deprecated =
  /^note: getPet is deprecated and ends on 05 Dec 2030, in \d+ days\. Use: petstore pets list --status .*\n$/;

function getPet(server: TestServer, ...args: readonly string[]): Promise<Ended> {
  return petstore(["pets", "get", ...args], { environment: connected(server) });
}

function createPet(server: TestServer, args: readonly string[], input?: string | Uint8Array): Promise<Ended> {
  return petstore(["pets", "create", ...args], { environment: connected(server), input });
}

async function storedPets({ store }: TestServer): Promise<unknown[]> {
  return await store.listPets({ limit: 100 });
}

test.each(["-5", "0", "42", "9007199254740993", "9223372036854775807", "-9223372036854775808"])(
  "0: pets get %s fetches the animal, and notes once that this ends",
  async (id) => {
    await using server = await startServer();
    await server.store.importPets([{ id: BigInt(id), name: "Rex", categoryId: 7, status: "sold" }]);
    const { stdout, stderr, exitCode } = await getPet(server, id);
    expect([exitCode, stdout]).toEqual([0, `{"id":${id},"name":"Rex","categoryId":7,"status":"sold"}\n`]);
    expect(stderr).toMatch(deprecated);
  },
);

test("0: pets get --quiet is silent about its end", async () => {
  await using server = await startServer();
  await server.store.importPets([{ name: "Rex", categoryId: 7, status: "sold" }]);
  expect(await getPet(server, "1", "--quiet")).toMatchObject({ exitCode: 0, stderr: "" });
});

test.each(["2", "-5", "Rex", "01", "1/2", "1?limit=1", "a b", "99999999999999999999", "日本"])(
  "5: pets get %s, which no animal has",
  async (id) => {
    await using server = await startServer();
    await server.store.importPets([{ name: "Rex", categoryId: 7, status: "sold" }]);
    const { stdout, stderr, exitCode } = await getPet(server, id, "--quiet");
    expect([exitCode, stdout]).toEqual([5, ""]);
    expect(stderr).toMatch(/^error: .*pet_not_found.*\nhint: .*petstore pets list --all\nrequest id: \S+\n$/);
  },
);

test.each([[""], ["."], [".."], [], ["1", "2"], ["-x"]])("2: pets get %j is refused", async (...ids) => {
  await using server = await startServer();
  const { stdout, stderr, exitCode } = await getPet(server, ...ids);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^error: /);
});

const nasty = " 犬\n\u001b[2J\u202e ";

test.each([
  ["no status", ["--name", "Rex", "--category-id", "7"], { name: "Rex", categoryId: 7, status: "available" }],
  ["a status", ["--name", "Rex", "--category-id", "-7", "--status", "sold"], { categoryId: -7, status: "sold" }],
  ["a name like an option", ["--name", "--all", "--category-id=0"], { name: "--all", categoryId: 0 }],
  ["a name like standard input", ["--name", "-", "--category-id", "1"], { name: "-" }],
  ["a name that a terminal would obey", ["--name", nasty, "--category-id", "1"], { name: nasty }],
  ["the longest name", ["--name", "🐶".repeat(255), "--category-id", "1"], { name: "🐶".repeat(255) }],
  ["the largest category", ["--name", "Rex", "--category-id", String(INT64_MAX)], { categoryId: INT64_MAX }],
  ["the smallest category", ["--name", "Rex", "--category-id", String(INT64_MIN)], { categoryId: INT64_MIN }],
])("0: pets create with %s adds the animal and prints it", async (_, args, expected) => {
  await using server = await startServer();
  const { stdout, stderr, exitCode } = await createPet(server, [...args, "-o", "json"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const pets = await storedPets(server);
  expect(pets).toMatchObject([{ id: 1, ...expected }]);
  expect([parseJson(stdout)]).toEqual(pets);
});

const integers = "--category-id must be an integer from -9223372036854775808 to 9223372036854775807";
const missing = "An animal needs --name and --category-id, or --file FILE";

test.each([
  [[], missing],
  [["--name", "Rex"], missing],
  [["--category-id", "7"], missing],
  [["--name", "Rex", "--category-id", "9223372036854775808"], integers],
  [["--name", "Rex", "--category-id", "07"], integers],
  [["--name", "Rex", "--category-id", "cat"], integers],
  [["--name", "Rex", "--category-id", ""], integers],
  [["--name", "", "--category-id", "7"], "name must be 1 to 255 characters"],
  [["--name", "Rex", "--category-id", "7", "--status", "sole"], "Did you mean sold?"],
  [["--name", "Rex", "--category-id", "7", "--idempotency-key", ""], "idempotencyKey must be 1 to 255 printable ASCII"],
  [["--name", "Rex", "--category-id", "7", "--idempotency-key", "é"], "idempotencyKey must be 1 to 255 printable"],
  [["--file", "-", "--name", "Rex"], "cannot be used with option '--name <name>'"],
  [["--file", "-", "--category-id", "7"], "cannot be used with option '--category-id <id>'"],
  [["--file", "-", "--status", "sold"], "cannot be used with option '--status <status>'"],
  [["--file", "nowhere.json"], "nowhere.json cannot be read: ENOENT"],
  [["--file", "."], ". cannot be read: EISDIR"],
])("2: pets create %j is refused, and nothing is added", async (args, message) => {
  await using server = await startServer();
  const { stdout, stderr, exitCode } = await createPet(server, args);
  expect([exitCode, stdout, await storedPets(server)]).toEqual([2, "", []]);
  expect(stderr).toContain(message);
});

const rex = '{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}';

test.each([
  ["an object", rex],
  [
    "an object on several lines",
    `\r\n{\n  "name": "Rex",\n  "categoryId": 9223372036854775807,\n\t"status": "sold"\n}\n`,
  ],
  ["a byte order mark before the object", `\ufeff${rex}`],
  ["an animal that was printed, with its id", `{"id":12,${rex.slice(1)}`],
])("0: pets create --file takes %s, from a file and from standard input", async (_, text) => {
  await using server = await startServer();
  using directory = temporaryDirectory();
  const file = join(directory.path, "rex.json");
  writeFileSync(file, text);
  const added = { exitCode: 0, stderr: "" };
  const runs = [createPet(server, ["--file", file]), createPet(server, ["--file", "-"], text)];
  expect(await Promise.all(runs)).toMatchObject([added, added]);
  const animal = { name: "Rex", categoryId: 9223372036854775807n, status: "sold" };
  expect(await storedPets(server)).toEqual([
    { id: 1, ...animal },
    { id: 2, ...animal },
  ]);
});

test.each([
  ["nothing", "", "is not JSON"],
  ["half an object", '{"name":"Rex"', "is not JSON"],
  ["two objects", `${rex}\n${rex}\n`, "is not JSON"],
  ["what is not UTF-8", Buffer.from('{"name":"R\xe9","categoryId":7}', "latin1"), "is not JSON"],
  ["an array", `[${rex}]`, "must be a JSON object"],
  ["null", "null", "must be a JSON object"],
  ["a word", '"Rex"', "must be a JSON object"],
  ["no name", '{"categoryId":7}', "name must be"],
  ["no category", '{"name":"Rex"}', "categoryId must be a 64-bit integer"],
  ["a category that is text", '{"name":"Rex","categoryId":"7"}', "categoryId must be a 64-bit integer"],
  ["a category that is too large", '{"name":"Rex","categoryId":9223372036854775808}', "categoryId must be"],
  ["a status that there is not", '{"name":"Rex","categoryId":7,"status":"gone"}', "status must be one of"],
])("2: pets create --file refuses %s, from a file and from standard input", async (_, text, message) => {
  await using server = await startServer();
  using directory = temporaryDirectory();
  const file = join(directory.path, "rex.json");
  writeFileSync(file, text);
  const refused = { exitCode: 2, stdout: "", stderr: expect.stringContaining(message) };
  const runs = [createPet(server, ["--file", file]), createPet(server, ["--file", "-"], text)];
  expect(await Promise.all(runs)).toMatchObject([refused, refused]);
  expect(await storedPets(server)).toEqual([]);
});

test("0: pets create with the same idempotency key adds one animal, and prints it again", async () => {
  await using server = await startServer();
  const args = ["--name", "Rex", "--category-id", "7", "--idempotency-key", "import-42/line 7"];
  const first = await createPet(server, args);
  const second = await createPet(server, args);
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
  expect(second).toEqual(first);
  expect(await storedPets(server)).toHaveLength(1);
});

test("0: pets create without an idempotency key adds an animal each time", async () => {
  await using server = await startServer();
  for (let run = 0; run < 2; run++) await createPet(server, ["--name", "Rex", "--category-id", "7"]);
  expect(await storedPets(server)).toHaveLength(2);
});

test("3: pets create with the idempotency key of another animal is refused", async () => {
  await using server = await startServer();
  const key = ["--category-id", "7", "--idempotency-key", "one"];
  await createPet(server, ["--name", "Rex", ...key]);
  const { exitCode, stdout, stderr } = await createPet(server, ["--name", "Bella", ...key, "-o", "json"]);
  expect([exitCode, stdout]).toEqual([3, ""]);
  expect(parseLines(stderr)).toMatchObject([{ error: { code: "idempotency_key_reused", status: 422, exitCode: 3 } }]);
  expect(await storedPets(server)).toHaveLength(1);
});

test("0: pets create --file - takes what is typed", async () => {
  await using server = await startServer();
  await using session = petstoreInTerminal(["pets", "create", "--file", "-"], { environment: connected(server) });
  session.type('{"name":"Rex","categoryId":7}\r\x04');
  expect(await session.ended).toEqual({ exitCode: 0, signal: null });
  expect(await storedPets(server)).toHaveLength(1);
});

test("130: an interrupt ends pets create --file - while it waits for more input", async () => {
  await using server = await startServer();
  using home = temporaryDirectory();
  const env = { HOME: home.path, ...connected(server) };
  const child = spawn(process.execPath, [binary, "pets", "create", "--file", "-"], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  // Far more than a pipe holds: once it is gone, the program reads.
  await new Promise((resolve) => child.stdin.write(" ".repeat(1_000_000), resolve));
  child.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
});
