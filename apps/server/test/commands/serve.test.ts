import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
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
import { text as readText } from "node:stream/consumers";
import { expectExit, run, serve, type Serving } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { open } from "../support/browser.ts";
import { test, type Petstore } from "../support/petstore.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

test("0 among the variables of Services: starts, and the log names a setting that is the address of one, and none as unknown", async ({
  petstore,
}) => {
  await using server = await petstore.serve({
    PETSTORE_SERVICE_HOST: "10.3.2.1",
    PETSTORE_PORT_80_TCP: "tcp://10.3.2.1:80",
    PETSTORE_ADMIN_PORT: "tcp://10.3.2.1:9090",
  });
  await server.printed(
    /"level":40,.*"setting":"PETSTORE_ADMIN_PORT","msg":"set by Kubernetes for a Service/,
  );
  const { stdout } = await expectExit(0, server.stop());
  expect(stdout).not.toMatch(/unknown settings|admin port open/);
});

describe("serve --dev", () => {
  test("starts with nothing: creates files that only their owner can read, and animals of every status, and keeps them, with a new key only if the old one is revoked, and the address of the server that started last; no board with PETSTORE_BOARD=off", async ({
    petstore,
  }) => {
    await using first = await serveDevelopment(petstore);
    const key = developmentKey(first);
    const files = ["", "petstore.db", "development.key", "development.url"].map(
      (name) => `.data/${name}`,
    );
    expect(files.map((name) => statSync(petstore.path(name)).mode & 0o777)).toEqual([
      0o700, 0o600, 0o600, 0o600,
    ]);
    expect(readFileSync(petstore.path(".data/development.key"), "utf8")).toBe(`${key}\n`);

    const animals = await list(first);
    expect(animals).toHaveLength(20);
    expect(new Set(animals.map(({ status }) => status))).toEqual(
      new Set(["available", "pending", "sold"]),
    );
    expect((await first.call(key, "/pets", '{"name":"Ada","categoryId":1}')).status).toBe(201);

    const address = () => readFileSync(petstore.path(".data/development.url"), "utf8");
    await using second = await serveDevelopment(petstore);
    expect(address()).toBe(addressOf(second));
    expect(developmentKey(second)).toBe(key);
    expect((await list(second)).map(({ name }) => name).slice(20)).toEqual(["Ada"]);
    await expectExit(0, first.stop(), { stderr: "" });
    expect(address()).toBe(addressOf(second));
    await second.stop();
    // another program may use the port from now on
    expect(readdirSync(petstore.path(".data"))).not.toContain("development.url");

    await revokeDevelopmentKey(petstore);
    await using third = await serveDevelopment(petstore);
    const newKey = developmentKey(third);
    expect(newKey).not.toBe(key);
    expect(await list(third)).toHaveLength(21);
    await third.stop();

    rmSync(petstore.path(".data/petstore.db"));
    await using fourth = await serveDevelopment(petstore, { PETSTORE_BOARD: "off" });
    expect(developmentKey(fourth)).toBe(newKey);
    expect(await list(fourth)).toHaveLength(20);
    const root = await fetch(new URL("/", fourth.url), {
      headers: { Accept: "text/html" },
      redirect: "manual",
    });
    expect(root.status).toBe(302);
    await fourth.printed(/^ *Reference +/m);
    expect(fourth.stdout()).not.toMatch(/^ *Board /m);
  });

  test("can keep everything in memory, and prints a command and links that work as they are, with the key after the # of the board's", async ({
    petstore,
  }) => {
    await using server = await serveDevelopment(petstore, { PETSTORE_DATABASE_URL: "memory:" });
    expect(await list(server)).toHaveLength(20);
    expect(readdirSync(petstore.path(".data"))).not.toContain("petstore.db");
    const [, board = "", reference = ""] = await server.printed(
      /^ *Board +(\S+)\n *Reference +(\S+)$/m,
    );
    const key = developmentKey(server);
    expect([board, reference]).toEqual(
      [`/#key=${key}`, "/docs"].map((path) => new URL(path, server.url).href),
    );
    for (const address of [board, reference]) {
      const { status, content } = await open(address);
      expect([status, content.includes(key)]).toEqual([200, false]);
    }
    const [command] = await server.printed(/^ *curl .*$/m);
    if (!hasCurl) return;
    const { stdout, status } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(3);
  });

  test("replaces links in place of its files, and leaves their targets unchanged", async ({
    petstore,
  }) => {
    writeFileSync(petstore.path("victim"), "precious");
    mkdirSync(petstore.path(".data"), { mode: 0o700 });
    const names = ["development.url", "development.key"];
    for (const name of names) {
      for (const link of [name, `${name}.new`])
        symlinkSync(petstore.path("victim"), petstore.path(`.data/${link}`));
    }
    await using server = await serveDevelopment(petstore);
    expect(await list(server)).toHaveLength(20);
    expect(readFileSync(petstore.path("victim"), "utf8")).toBe("precious");
    for (const name of names) expect(lstatSync(petstore.path(`.data/${name}`)).isFile()).toBe(true);
    expect(readdirSync(petstore.path(".data")).filter((each) => each.endsWith(".new"))).toEqual([]);
  });
});

test("serve logs a JSON object per line, rejects requests beyond PETSTORE_RATE_LIMIT, and leaves nothing for development", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  await using server = await petstore.serve({ PETSTORE_RATE_LIMIT: "1/3600s" });
  expect(readdirSync(petstore.directory)).not.toContain(".data");
  await server.call(key, "/pets", undefined, { "X-Request-Id": "one" });
  expect((await server.call(key, "/pets")).status).toBe(429);
  const { stdout } = await expectExit(0, server.stop(), { stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.map(({ msg }) => msg)).toEqual([
    "listening",
    "request",
    "request",
    "stopping",
    "stopped",
  ]);
  expect(logged[1]).toMatchObject({ requestId: "one", method: "GET", route: "/pets", status: 200 });
});

describe("a signal to stop", () => {
  test("SIGHUP ends it with 0, even while connections are open", async ({ petstore }) => {
    await using server = await petstore.serve({ PETSTORE_SHUTDOWN_GRACE_MS: "600000" });
    expect((await fetch(`${server.url}/pets`)).status).toBe(401); // leaves its connection open
    const silent = connect(Number(new URL(server.url).port), "127.0.0.1");
    await once(silent, "connect");
    server.kill("SIGHUP");
    await expectExit(0, server.ended, { stdout: /"msg":"stopped"}\n$/, stderr: "" });
    silent.destroy();
  });

  test("that is sent twice at once, as by a package manager, lets a request finish", async ({
    petstore,
  }) => {
    const key = await petstore.createKey();
    await using server = await petstore.serve();
    const request = await beginRequest(server, key);
    server.kill("SIGINT");
    server.kill("SIGTERM"); // the system would merge two equal signals in quick succession
    await server.printed(/"msg":"stopping"/);

    const response = readText(request);
    request.write('"categoryId":1}');
    expect(await response).toMatch(/^HTTP\/1\.1 201 /);
    await expectExit(0, server.ended);
  });

  test("that is repeated later ends it at once, with a request in flight", async ({ petstore }) => {
    const key = await petstore.createKey();
    await using server = await petstore.serve({ PETSTORE_SHUTDOWN_GRACE_MS: "600000" });
    const request = await beginRequest(server, key);
    request.on("error", () => {}); // the connection is cut
    const impatience = setInterval(() => server.kill("SIGINT"), 100);
    const { exitCode } = await server.ended;
    clearInterval(impatience);
    request.destroy();
    expect(exitCode).toBe(130);
  });
});

/**
 * Sends a request to add an animal without its end, `"categoryId":1}`, and resolves once the server
 * waits for that.
 */
async function beginRequest({ url }: Serving, key: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const headers = [
    "Host: petstore",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
  ];
  const head = ["POST /v1/pets HTTP/1.1", ...headers, "Content-Length: 31", "Expect: 100-continue"];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const [received] = (await once(socket, "data")) as [Buffer];
  expect(received.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  socket.write('{"name":"Bella",');
  return socket;
}

function serveDevelopment({ directory }: Pick<Petstore, "directory">, more = {}): Promise<Serving> {
  return serve(directory, { args: ["--dev"], environment: { PETSTORE_PORT: "0", ...more } });
}

function developmentKey(server: Serving): string {
  return /pst_test_\w+/.exec(server.stdout())?.[0] ?? "";
}

async function revokeDevelopmentKey({ directory }: Petstore): Promise<void> {
  const listed = await run(directory, ["keys", "list", "--dev", "--json"], { environment: {} });
  const id = (JSON.parse(listed.stdout) as { id: string }[]).at(-1)?.id ?? "";
  await expectExit(0, run(directory, ["keys", "revoke", id, "--dev"], { environment: {} }));
}

async function list(server: Serving): Promise<{ name: string; status: string }[]> {
  const { status, text } = await server.call(developmentKey(server), "/pets?limit=100");
  expect(status).toBe(200);
  return JSON.parse(text) as { name: string; status: string }[];
}

function addressOf({ url, pid }: Serving): string {
  return `${url}\n${pid}\n`;
}
