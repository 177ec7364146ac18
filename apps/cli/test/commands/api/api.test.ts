import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { describe, expect } from "vitest";
import { animals } from "../../support/catalogue.ts";
import { test } from "../../support/fixtures.ts";
import { startRecorder, type Recorder } from "../../support/other-servers.ts";
import { petstore, petstoreProcess } from "../../support/petstore.ts";

const large = 9007199254740993n;

async function startCatalogue(count = 2): Promise<TestServer> {
  const server = await startServer();
  await server.store.importPets(animals(count, { categoryId: large }));
  return server;
}

function ids(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** A server that responds with the request. */
function startMirror(): Promise<Recorder> {
  return startRecorder((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { "idempotency-key": key } = request.headers;
      const head = JSON.stringify({ request: `${request.method} ${request.url}`, key });
      const body = String(Buffer.concat(chunks));
      response.end(body === "" ? head : `${head.slice(0, -1)},"body":${body}}`);
    });
  });
}

/** Sends a request to such a server, and returns what it has received. */
async function mirror(args: readonly string[], input?: string, directory?: string): Promise<unknown> {
  await using server = await startMirror();
  const { stdout, stderr } = await petstore(["api", ...args], { server, input, ...(directory && { directory }) });
  return stderr === "" ? stdout.trimEnd() : stderr.trimEnd();
}

test("0: petstore api prints a list with an item per line, and anything else on one line", async () => {
  await using server = await startCatalogue();
  const pet = (id: number) => `{"id":${id},"name":"Animal ${id}","categoryId":${large},"status":"available"}`;
  const list = await petstoreProcess("api pets", { server });
  expect(list).toMatchObject({ exitCode: 0, stdout: `[\n${pet(1)},\n${pet(2)}\n]\n`, stderr: "" });
  const lines = await petstore("api pets -o ndjson", { server });
  expect(lines.stdout).toBe(`${pet(1)}\n${pet(2)}\n`);
  expect((await petstore("api pets/2 -q", { server })).stdout).toBe(`${pet(2)}\n`);
  const added = await petstore(["api", "/pets", "-f", "name=Rex", "-F", `categoryId=${large}`], { server });
  expect(added.stdout).toBe(`{"id":3,"name":"Rex","categoryId":${large},"status":"available"}\n`);
});

test.for(["pets", "/v1/pets", "v1/pets", "get /pets"])("0: petstore api %s", async (line) => {
  expect(await mirror(line.split(" "))).toBe('{"request":"GET /v1/pets"}');
});

describe("fields", () => {
  test.for<[line: string, expected: string]>([
    [
      "pets -f a=1 -f b=true -f c=@x -f d= --idempotency-key k",
      `POST /v1/pets","key":"k","body":{"a":"1","b":"true","c":"@x","d":""}`,
    ],
    [
      `pets -F a=${large} -F b=true -F c=null -F d=1e400 -F e=007 -F f=0.10 -F g=x=y --idempotency-key k`,
      `POST /v1/pets","key":"k","body":{"a":${large},"b":true,"c":null,"d":1e400,"e":"007","f":0.1,"g":"x=y"}`,
    ],
    [`GET pets -F a=${large} -F b=null -F c=1e400 -f d=%20&`, `GET /v1/pets?d=%2520%26&a=${large}&b=&c=1e400"`],
    ["put pets/1 -f a=b", 'PUT /v1/pets/1","body":{"a":"b"}'],
    ["DELETE pets/1", 'DELETE /v1/pets/1"'],
  ])("0: petstore api %s", async ([line, expected]) => {
    expect(await mirror(line.split(" "))).toBe(`{"request":"${expected}}`);
  });

  test("0: --input sends JSON exactly, with fields in the query", async ({ directory }) => {
    const body = `[{"a":${large}},1e400]`;
    const expected = `{"request":"POST /v1/pets?b=1","key":"k","body":${body}}`;
    writeFileSync(join(directory, "body.json"), ` ${body}\n`);
    const args = ["pets", "-f", "b=1", "--idempotency-key", "k", "--input"];
    expect(await mirror([...args, "body.json"], "", directory)).toBe(expected);
    expect(await mirror([...args, "-"], body)).toBe(expected);
  });
});

describe("2: an invalid request is rejected, and nothing is sent", () => {
  test.for<[line: string, message: string]>([
    ["", "Missing path, for example: petstore api pets"],
    ["FETCH pets", "The method must be one of DELETE, GET, "],
    ["pets -f name", "--raw-field 'name' must be like name=value"],
    ["pets -f a=1 -F a=2", "The field a is given twice"],
    ["GET pets --input -", "--input cannot be used with the method GET"],
    ["POST pets --paginate", "--paginate needs the method GET"],
    ["pets -o csv", "petstore api prints JSON: it cannot be used with --output csv"],
    ["pets --jq .[", "--jq: syntax error"],
    // The key goes nowhere else.
    ["//evil.example/pets", "path must be"],
    ["../metrics", "path must be"],
    ["\\\\evil.example", "path must be"],
  ])("petstore api %s", async ([line, message]) => {
    await using server = await startMirror();
    const { exitCode, stdout, stderr } = await petstore(`api ${line}`, { server, input: "{}" });
    expect([exitCode, stdout, server.received]).toEqual([2, "", []]);
    expect(stderr).toContain(message);
  });
});

test.for(["@evil.example", "https://evil.example/v1/pets"])(
  "0: a path that looks like an address stays below the base URL: %s",
  async (path) => {
    await using server = await startMirror();
    const { exitCode } = await petstore(["api", path], { server });
    expect([exitCode, server.received.map(({ target }) => target)]).toEqual([0, [`/v1/${path}`]]);
  },
);

test.for(["pe\nts", "pets\u007f", " pets", "pets "])(
  "2: petstore api %j is rejected: a parser would remove a character",
  async (path) => {
    await using server = await startMirror();
    const { exitCode, stderr } = await petstore(["api", path], { server });
    expect([exitCode, server.received]).toEqual([2, []]);
    expect(stderr).toBe("error: The path must not have control characters, such as line breaks, or blanks around it\n");
  },
);

test("5: an unknown path: the hint names the page that lists the paths", async ({ server }) => {
  const { exitCode, stderr } = await petstore("api nothing", { server });
  expect([exitCode, stderr]).toEqual([5, expect.stringContaining(`listed at ${new URL("/docs", server.url).href}\n`)]);
});

describe("--paginate", () => {
  test("0: prints all pages as one array", async () => {
    await using server = await startCatalogue(250);
    const args = "api pets?status=available -F limit=100 --paginate";
    const { exitCode, stdout } = await petstore(["api", "GET", ...args.split(" ").slice(1)], { server });
    expect([exitCode, (JSON.parse(stdout) as { id: number }[]).map(({ id }) => id)]).toEqual([0, ids(250)]);
    expect(server.logs).toHaveLength(3);
    const lines = await petstore("api pets --paginate -o ndjson", { server });
    expect(lines.stdout.trimEnd().split("\n")).toHaveLength(250);
  });

  test("0: --jq gets each page, or with -o json all of them", async () => {
    await using server = await startCatalogue(250);
    const jq = async (...args: string[]) => (await petstore(["api", "pets?limit=100", ...args], { server })).stdout;
    expect(await jq("--paginate", "--jq", "length")).toBe("100\n100\n50\n");
    expect(await jq("--paginate", "--jq", "length", "-o", "json")).toBe("250\n");
    expect(await jq("--paginate", "--jq", ".id", "-o", "ndjson")).toBe(
      ids(250)
        .map((id) => `${id}\n`)
        .join(""),
    );
    expect(await jq("--jq", ".[0].categoryId")).toBe(`${large}\n`);
  });
});
