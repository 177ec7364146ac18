import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { INT64_MIN, parseJson } from "@petstore/contract/int64";
import type { TestServer } from "@petstore/server/start-server";
import type { Ended } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { petstore } from "../../support/petstore.ts";

function createPet(
  server: TestServer,
  args: readonly string[],
  input?: string | Uint8Array,
): Promise<Ended> {
  return petstore(["pets", "create", ...args], { server, input });
}

async function storedPets({ store }: TestServer): Promise<unknown[]> {
  return (await store.listPets({ limit: 100 })).map(({ json }) => parseJson(json));
}

test("0: pets get fetches the animal, and notes once that this ends", async ({ server }) => {
  await server.store.importPets([{ id: INT64_MIN, name: "Rex", categoryId: 7, status: "sold" }]);
  const { stdout, stderr, exitCode } = await petstore(["pets", "get", String(INT64_MIN)], {
    server,
  });
  expect([exitCode, stdout]).toEqual([
    0,
    `{"id":${INT64_MIN},"name":"Rex","categoryId":7,"status":"sold"}\n`,
  ]);
  expect(stderr).toMatch(
    /^note: This command is deprecated and will be removed on 05 Dec 2030, in \d+ days\. Use: petstore pets list --status .*\n$/,
  );
});

test.for([["Rex"], ["1?limit=1"], [""], [], ["1", "2"]])(
  "2: pets get %j needs no key to be rejected",
  async (ids) => {
    const { stdout, stderr, exitCode } = await petstore(["pets", "get", ...ids]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: /);
  },
);

test.for([
  [
    "no status",
    ["--name", "Rex", "--category-id", "7"],
    { name: "Rex", categoryId: 7, status: "available" },
  ],
  [
    "a name like an option",
    ["--name", "--all", "--category-id=0", "--status=sold"],
    { name: "--all", status: "sold" },
  ],
] as const)(
  "0: pets create with %s adds the animal and prints it",
  async ([, args, expected], { server }) => {
    const { stdout, stderr, exitCode } = await createPet(server, [...args, "-o", "json"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    const pets = await storedPets(server);
    expect(pets).toMatchObject([{ id: 1, ...expected }]);
    expect([parseJson(stdout)]).toEqual(pets);
  },
);

test("9: a creation without an answer of the service says how to repeat it, and adds one animal", async ({
  server,
  proxy,
}) => {
  proxy.treat = async ({ forward }) => (
    await forward(),
    { status: 403, body: "<title>Blocked</title>" }
  );
  const args = ["pets", "create", "--name", "Rex", "--category-id", "7"];
  const { exitCode, stderr } = await petstore(args, { server: proxy });
  expect(exitCode).toBe(9);
  const [, repeat = ""] =
    /^note: it is not known whether this took effect\. .* (--idempotency-key \S+)$/m.exec(stderr) ??
    [];
  proxy.treat = ({ forward }) => forward();
  expect(await petstore([...args, ...repeat.split(" ")], { server: proxy })).toMatchObject({
    exitCode: 0,
  });
  expect(await storedPets(server)).toHaveLength(1);
});

test("9: a creation that is not sent says nothing of a repetition", async ({ server }) => {
  const args = ["--name", "Rex", "--category-id", "7", "--retries", "0"];
  const { stderr } = await createPet({ ...server, url: "http://petstore.invalid/v1" }, args);
  expect(stderr).toMatch(/getaddrinfo/);
  expect(stderr).not.toContain("--idempotency-key");
});

const integers =
  "--category-id must be an integer from -9223372036854775808 to 9223372036854775807";
test.for([
  [["--name", "Rex"], "An animal needs --name and --category-id, or --file FILE"],
  [["--name", "Rex", "--category-id", "9223372036854775808"], integers],
  [["--name", "", "--category-id", "7"], "error: --name must be 1 to 255 characters"],
  [
    ["--name", "Rex", "--category-id", "7", "--idempotency-key", "é"],
    "error: --idempotency-key must be 1 to 255 printable",
  ],
  [["--file", "nowhere.json"], "nowhere.json cannot be read: no such file or directory\n"],
] as const)(
  "2: pets create %j is rejected, and nothing is added",
  async ([args, message], { server }) => {
    const { stdout, stderr, exitCode } = await createPet(server, args);
    expect([exitCode, stdout, await storedPets(server)]).toEqual([2, "", []]);
    expect(stderr).toContain(message);
  },
);

const rex = '{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}';

/** Adds an animal from a file and the same one from standard input. */
async function createFromBoth(
  server: TestServer,
  directory: string,
  content: string | Uint8Array,
): Promise<Ended[]> {
  const file = join(directory, "rex.json");
  writeFileSync(file, content);
  return await Promise.all([
    createPet(server, ["--file", file]),
    createPet(server, ["--file", "-"], content),
  ]);
}

test("0: pets create --file accepts an animal as it was printed, after a mark, also from standard input", async ({
  server,
  directory,
}) => {
  const added = { exitCode: 0, stderr: "" };
  const printed = `\ufeff{"id":12,${rex.slice(1)}`;
  expect(await createFromBoth(server, directory, printed)).toMatchObject([added, added]);
  const animal = { name: "Rex", categoryId: 9223372036854775807n, status: "sold" };
  expect(await storedPets(server)).toEqual([1, 2].map((id) => ({ id, ...animal })));
});

test.for([
  ["nothing", "", "is not JSON"],
  [
    "text that is not UTF-8",
    Buffer.from('{"name":"R\xe9","categoryId":7}', "latin1"),
    "is not UTF-8 text\n",
  ],
  [
    "a category that is too large",
    '{"name":"Rex","categoryId":9223372036854775808}',
    "categoryId must be",
  ],
] as const)(
  "2: pets create --file rejects %s",
  async ([, text, message], { server, directory }) => {
    const rejected = {
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining(message) as string,
    };
    expect(await createFromBoth(server, directory, text)).toMatchObject([rejected, rejected]);
    expect(await storedPets(server)).toEqual([]);
  },
);

test("0: pets create with the same idempotency key adds one animal, and prints it again", async ({
  server,
}) => {
  const args = ["--name", "Rex", "--category-id", "7", "--idempotency-key", "import-42/line 7"];
  const first = await createPet(server, args);
  const second = await createPet(server, args);
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
  expect(second).toEqual(first);
  expect(await storedPets(server)).toHaveLength(1);
});
