import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { occupyPort } from "@petstore/test-kit/free-port";
import { startHttpServer } from "@petstore/test-kit/http-server";
import {
  createKey,
  run,
  serve,
  settings,
  temporaryDirectory,
  type Serving,
} from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { patternOf, runSession } from "./session.ts";

/** The headings that are a message. */
const messages = [...read("docs/troubleshooting.md").matchAll(/^### `(.+)`$/gm)].map(
  ([, message = ""]) => message,
);

interface Situation {
  directory: string;
  server: Serving;
  key: string;
}

const animal = '{"name":"Rex","categoryId":1}';

/** How a reader gets each message: a part of it, and a function that prints the whole. */
const situations: Readonly<Record<string, (situation: Situation) => Promise<string>>> = {
  "Port 8080": ({ directory, server }) =>
    startWith(directory, { PETSTORE_PORT: new URL(server.url).port }),
  PETSTORE_DATABASE_URL: ({ directory }) => startWith(directory, { PETSTORE_DATABASE_URL: "" }),
  "cannot be created": ({ directory }) =>
    startWith(directory, { PETSTORE_DATABASE_URL: "sqlite:missing/petstore.db" }),
  "is damaged": ({ directory }) => {
    writeFileSync(join(directory, "text-petstore.db"), "Dear diary");
    return startWith(directory, { PETSTORE_DATABASE_URL: "sqlite:text-petstore.db" });
  },
  "Send an API key": async ({ server }) => (await fetch(`${server.url}/pets`)).text(),
  "is not valid": async ({ server, key }) => (await server.call(`${key}0`, "/pets")).text,
  "lacks the scope": async ({ directory, server }) => {
    const reader = await createKey(directory, "--scopes", "read");
    return (await server.call(reader, "/pets", animal)).text;
  },
  "Idempotency-Key": async ({ server, key }) => {
    await server.call(key, "/pets", animal, { "Idempotency-Key": "1" });
    return (
      await server.call(key, "/pets", animal.replace("Rex", "Tom"), { "Idempotency-Key": "1" })
    ).text;
  },
  "with cookies": async ({ server }) => {
    const headers = { Accept: "text/html", Cookie: "session=1; ".repeat(1_600) };
    return (await fetch(new URL("/", server.url), { headers })).text();
  },
  "There is no API key": ({ directory }) => listWith(directory, ""),
  PETSTORE_API_KEY: ({ directory, key }) => listWith(directory, `PETSTORE_API_KEY=${key}`),
  Something: async ({ directory, key }) => {
    await using proxy = await startHttpServer((_request, response) =>
      response.writeHead(403).end("<html>Sign in</html>"),
    );
    return await listWith(
      directory,
      `PETSTORE_API_KEY=${key} PETSTORE_BASE_URL=${proxy.origin}/v1`,
    );
  },
  "got no": async ({ directory, key }) => {
    // The port of a connection: nobody listens there, and nobody can begin to.
    const { port: listening, close } = await occupyPort();
    const socket = connect(listening, "127.0.0.1");
    await once(socket, "connect");
    const port = socket.localPort ?? 0;
    const address = `PETSTORE_BASE_URL=http://127.0.0.1:${port}/v1`;
    const printed = await listWith(directory, `PETSTORE_API_KEY=${key} ${address}`);
    socket.destroy();
    await close();
    return printed.replaceAll(String(port), "8080");
  },
};

async function startWith(directory: string, environment: Record<string, string>): Promise<string> {
  return (await run(directory, ["serve"], { environment: { ...settings, ...environment } })).stderr;
}

async function listWith(directory: string, environment: string): Promise<string> {
  const [printed] = await runSession(directory, [`${environment} petstore pets list`]);
  return printed?.output ?? "";
}

test("the product prints every message of docs/troubleshooting.md", async () => {
  using directory = temporaryDirectory();
  const key = await createKey(directory.path);
  await using server = await serve(directory.path);
  for (const message of messages) {
    const [, produce] = Object.entries(situations).find(([part]) => message.includes(part)) ?? [];
    const printed = await produce?.({ directory: directory.path, server, key });
    const shown = printed?.replaceAll(String.raw`\"`, '"').replace(/Port \d+ of/, "Port 8080 of");
    expect
      .soft(shown, "update the heading of docs/troubleshooting.md")
      .toMatch(new RegExp(patternOf(message)));
  }
  expect(messages).toHaveLength(Object.keys(situations).length);
});
