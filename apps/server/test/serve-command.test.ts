import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { createKey, run, serve, settings, temporaryDirectory, type Serving } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

describe("serve --dev", () => {
  test("starts with nothing: makes its files, for their owner only, and animals in every status", async () => {
    using directory = temporaryDirectory();
    await using server = await serveDevelopment(directory.path);
    expect(mode(directory.path, ".data")).toBe(0o700);
    expect(mode(directory.path, ".data/petstore.db")).toBe(0o600);
    expect(mode(directory.path, ".data/development.key")).toBe(0o600);
    expect(readFileSync(join(directory.path, ".data/development.key"), "utf8")).toBe(`${developmentKey(server)}\n`);

    const animals = await list(server);
    expect(animals).toHaveLength(20);
    expect(new Set(animals.map(({ status }) => status))).toEqual(new Set(["available", "pending", "sold"]));
    expect(server.stderr()).toBe("");
  });

  test.runIf(hasCurl)("prints a command that works as it is", async () => {
    using directory = temporaryDirectory();
    await using server = await serveDevelopment(directory.path);
    const [command] = await server.printed(/^ *curl .*$/m);
    const { stdout, status } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(3);
  });

  test("leaves its address for the command-line tool, readable by its owner only, and a new one when it starts again", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, ".data/development.url");
    await using first = await serveDevelopment(directory.path);
    expect(readFileSync(file, "utf8")).toBe(`${first.url}\n${first.pid}\n`);
    expect(mode(directory.path, ".data/development.url")).toBe(0o600);
    await first.stop();
    expect(existsSync(file)).toBe(false); // whoever listens there now is another

    await using second = await serveDevelopment(directory.path);
    expect(readFileSync(file, "utf8")).toBe(`${second.url}\n${second.pid}\n`);
  });

  test("leaves the address of a server that started before, and still runs", async () => {
    using directory = temporaryDirectory();
    await using first = await serveDevelopment(directory.path);
    await using second = await serveDevelopment(directory.path);
    await second.stop();
    const text = readFileSync(join(directory.path, ".data/development.url"), "utf8");
    expect(text).toBe(`${first.url}\n${first.pid}\n`);
  });

  test("leaves the address of another server that has started meanwhile", async () => {
    using directory = temporaryDirectory();
    await using first = await serveDevelopment(directory.path);
    await using second = await serveDevelopment(directory.path);
    await first.stop();
    expect(readFileSync(join(directory.path, ".data/development.url"), "utf8")).toBe(`${second.url}\n${second.pid}\n`);
  });

  test.each(["development.url", "development.key", "development.url.new", "development.key.new"])(
    "replaces a link in the place of %s, and leaves the file that it leads to alone",
    async (name) => {
      using directory = temporaryDirectory();
      const victim = join(directory.path, "victim");
      writeFileSync(victim, "precious");
      mkdirSync(join(directory.path, ".data"), { mode: 0o700 });
      symlinkSync(victim, join(directory.path, ".data", name));
      await using server = await serveDevelopment(directory.path);
      expect(await list(server)).toHaveLength(20);
      expect(readFileSync(victim, "utf8")).toBe("precious");
      const written = lstatSync(join(directory.path, ".data", name.replace(".new", "")));
      expect(written.isFile()).toBe(true);
      expect(readdirSync(join(directory.path, ".data")).filter((each) => each.endsWith(".new"))).toEqual([]);
    },
  );

  test("leaves no address unless it is a development server", async () => {
    using directory = temporaryDirectory();
    await using server = await serve(directory.path);
    expect(readdirSync(directory.path)).not.toContain(".data");
    await server.stop();
  });

  test("keeps data and key over a restart", async () => {
    using directory = temporaryDirectory();
    await using first = await serveDevelopment(directory.path);
    const key = developmentKey(first);
    expect((await first.call(key, "/pets", '{"name":"Ada","categoryId":1}')).status).toBe(201);
    await first.stop();

    await using second = await serveDevelopment(directory.path);
    expect(developmentKey(second)).toBe(key);
    expect((await list(second)).map(({ name }) => name).slice(20)).toEqual(["Ada"]);
  });

  test("starts again after its key file was deleted, with a new key", async () => {
    using directory = temporaryDirectory();
    await using first = await serveDevelopment(directory.path);
    await first.stop();
    rmSync(join(directory.path, ".data/development.key"));

    await using second = await serveDevelopment(directory.path);
    expect(developmentKey(second)).not.toBe(developmentKey(first));
    expect(await list(second)).toHaveLength(20);
  });

  test("starts again after its database was deleted, with the same key", async () => {
    using directory = temporaryDirectory();
    await using first = await serveDevelopment(directory.path);
    await first.stop();
    rmSync(join(directory.path, ".data/petstore.db"));

    await using second = await serveDevelopment(directory.path);
    expect(developmentKey(second)).toBe(developmentKey(first));
    expect(await list(second)).toHaveLength(20);
  });

  test.each([
    ["revoked", "revoke"],
    ["expired", "rotate", "--overlap", "0s"],
  ])("replaces a key that was %s", async (_, command, ...options) => {
    using directory = temporaryDirectory();
    await using first = await serveDevelopment(directory.path);
    await first.stop();
    const keys = await run(directory.path, ["keys", "list", "--dev", "--json"], { environment: {} });
    const [{ id }] = JSON.parse(keys.stdout) as [{ id: string }];
    await run(directory.path, ["keys", command, id, "--dev", ...options], { environment: {} });

    await using second = await serveDevelopment(directory.path);
    expect(developmentKey(second)).not.toBe(developmentKey(first));
    expect(await list(second)).toHaveLength(20);
  });

  test("can keep everything in memory", async () => {
    using directory = temporaryDirectory();
    const environment = { PETSTORE_PORT: "0", PETSTORE_DATABASE_URL: "memory:" };
    await using server = await serve(directory.path, { args: ["--dev"], environment });
    expect(await list(server)).toHaveLength(20);
  });

  test("runs beside another one in another directory", async () => {
    using oneDirectory = temporaryDirectory();
    using otherDirectory = temporaryDirectory();
    await using one = await serveDevelopment(oneDirectory.path);
    await using other = await serveDevelopment(otherDirectory.path);
    expect((await one.call(developmentKey(one), "/pets", '{"name":"Ada","categoryId":1}')).status).toBe(201);
    expect(await list(one)).toHaveLength(21);
    expect(await list(other)).toHaveLength(20);
    expect((await other.call(developmentKey(one), "/pets")).status).toBe(401);
  });

  test("is told in one line that the port is in use, and exits with 69", async () => {
    using directory = temporaryDirectory();
    using otherDirectory = temporaryDirectory();
    await using server = await serveDevelopment(directory.path);
    const { port } = new URL(server.url);
    const second = await run(otherDirectory.path, ["serve", "--dev"], { environment: { PETSTORE_PORT: port } });
    expect(second).toMatchObject({
      exitCode: 69,
      stderr: `petstore-server: Port ${port} of 127.0.0.1 is in use. Set PETSTORE_PORT to another one, or to 0 for any free one.\n`,
    });
    expect(await list(server)).toHaveLength(20);
  });
});

describe("serve", () => {
  test("logs a JSON object per line", async () => {
    using directory = temporaryDirectory();
    const key = await createKey(directory.path);
    await using server = await serve(directory.path);
    await server.call(key, "/pets", undefined, { "X-Request-Id": "one" });
    const { stdout, stderr } = await server.stop();
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ msg }) => msg)).toEqual(["listening", "request", "stopping", "stopped"]);
    expect(lines[1]).toMatchObject({ requestId: "one", method: "GET", route: "/pets", status: 200 });
    expect(stderr).toBe("");
  });

  test("without settings lists every problem and exits with 78", async () => {
    using directory = temporaryDirectory();
    const environment = { PETSTORE_PORT: "http", PETSTORE_LOG_LEVEL: "loud" };
    const { exitCode, stdout, stderr } = await run(directory.path, ["serve"], { environment });
    expect({ exitCode, stdout }).toEqual({ exitCode: 78, stdout: "" });
    expect(stderr.split("\n")).toEqual([
      "petstore-server: The configuration has 3 problems:",
      "  PETSTORE_DATABASE_URL is required: memory:, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE",
      "  PETSTORE_PORT must be a whole number from 0 to 65535",
      "  PETSTORE_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent",
      "",
    ]);
  });

  test("refuses a database in memory, which holds no key, and exits with 78", async () => {
    using directory = temporaryDirectory();
    const environment = { ...settings, PETSTORE_DATABASE_URL: "memory:" };
    expect(await run(directory.path, ["serve"], { environment })).toMatchObject({
      exitCode: 78,
      stdout: "",
      stderr: "petstore-server: PETSTORE_DATABASE_URL is memory:, which holds no API key: use it with --dev\n",
    });
  });
});

describe("a signal to stop", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s ends it with 0 and the last line of the log, whatever idle connections there are",
    async (signal) => {
      using directory = temporaryDirectory();
      const key = await createKey(directory.path);
      await using server = await serve(directory.path);
      expect((await server.call(key, "/pets")).status).toBe(200); // leaves its connection open
      const silent = connect(Number(new URL(server.url).port), "127.0.0.1");
      await once(silent, "connect");

      const signalledAt = performance.now();
      server.kill(signal);
      const { exitCode, stdout, stderr } = await server.ended;
      silent.destroy();
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toMatch(/"msg":"stopped"}\n$/);
      // Nothing is in flight, so it does not use the 25 seconds that a request in flight would have.
      expect(performance.now() - signalledAt).toBeLessThan(12_000);
    },
  );

  test("that comes twice at once, as from a terminal and a package manager, lets a request in flight finish", async () => {
    using directory = temporaryDirectory();
    const key = await createKey(directory.path);
    await using server = await serve(directory.path);
    const request = await beginRequest(server, key);
    server.kill("SIGINT");
    await server.printed(/"msg":"stopping"/);
    server.kill("SIGINT");

    const answer = readText(request);
    request.write('"categoryId":1}');
    expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
    expect((await server.ended).exitCode).toBe(0);
  });

  test("that comes again later ends it at once, with a request in flight", async () => {
    using directory = temporaryDirectory();
    const key = await createKey(directory.path);
    await using server = await serve(directory.path);
    const request = await beginRequest(server, key);
    request.on("error", () => {}); // the connection is cut
    const impatience = setInterval(() => server.kill("SIGINT"), 100);
    const { exitCode } = await server.ended;
    clearInterval(impatience);
    request.destroy();
    expect(exitCode).toBe(130);
  });
});

/** Sends all of a request to add an animal but `"categoryId":1}`, and resolves once the server waits for that. */
async function beginRequest({ url }: Serving, key: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const headers = [
    "POST /v1/pets HTTP/1.1",
    "Host: petstore",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    "Content-Length: 31",
    "Expect: 100-continue",
  ];
  socket.write(`${headers.join("\r\n")}\r\n\r\n`);
  const [received] = (await once(socket, "data")) as [Buffer];
  expect(received.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  socket.write('{"name":"Bella",');
  return socket;
}

function serveDevelopment(directory: string): Promise<Serving> {
  return serve(directory, { args: ["--dev"], environment: { PETSTORE_PORT: "0" } });
}

function developmentKey(server: Serving): string {
  return /pst_test_\w+/.exec(server.stdout())?.[0] ?? "";
}

async function list(server: Serving): Promise<{ name: string; status: string }[]> {
  const { status, text } = await server.call(developmentKey(server), "/pets?limit=100");
  expect(status).toBe(200);
  return JSON.parse(text) as { name: string; status: string }[];
}

function mode(directory: string, name: string): number {
  return statSync(join(directory, name)).mode & 0o777;
}
