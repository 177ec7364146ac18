import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { freePort } from "@petstore/test-kit/free-port";
import { start, temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, test } from "vitest";
import { parseAnswers, type RawAnswer } from "./answer-text.ts";
import { startServer, type TestServer } from "./start-server.ts";
import { createWaitingStore } from "./waiting-store.ts";

const page = readFileSync(new URL("../../../docs/deployment.md", import.meta.url), "utf8");
const [, documented = ""] = /^```nginx\n([^]*?)^```$/m.exec(page) ?? [];

const directories = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
const installed = directories.map((directory) => join(directory, "nginx")).filter((file) => existsSync(file));

test("the page has the configuration of nginx that is tested", () => {
  if (installed.length === 0) process.stderr.write("nginx is NOT tested: install it for that.\n");
  expect(documented).toContain("proxy_pass http://petstore;\n");
});

interface Nginx extends AsyncDisposable {
  /** Sends bytes over TLS, and reads until nginx closes the connection. */
  send(bytes: string): Promise<RawAnswer>;
  sendWithoutTls(bytes: string): Promise<RawAnswer>;
}

async function exchange(socket: Socket, bytes: string): Promise<RawAnswer> {
  socket.on("error", () => {}); // nginx may not read everything
  socket.write(bytes);
  const received = await text(socket.setEncoding("latin1"));
  // It has no words for some statuses, as HTTP allows.
  const [answer, ...others] = parseAnswers(received.replace(/^HTTP\/1\.1 (\d+) \r\n/, "HTTP/1.1 $1 Unnamed\r\n"));
  if (answer === undefined || others.length > 0) throw new Error("Not one response");
  return answer;
}

/** nginx with the configuration of the page, and a time out that a test can wait for. */
async function startNginx(program: string, directory: string, { port: servicePort }: TestServer): Promise<Nginx> {
  const [port, key, certificate] = [await freePort(), join(directory, "key.pem"), join(directory, "certificate.pem")];
  const newCertificate =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=petstore.example";
  execFileSync("openssl", [...newCertificate.split(" "), "-keyout", key, "-out", certificate], { stdio: "pipe" });
  const http = documented
    .replace("127.0.0.1:8080", `127.0.0.1:${servicePort}`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace("/etc/ssl/petstore.pem", certificate)
    .replace("/etc/ssl/private/petstore.key", key)
    .replace("proxy_read_timeout 30s", "proxy_read_timeout 1s");
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  const file = join(directory, "nginx.conf");
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? "user root;\n" : ""}daemon off;\npid ${directory}/pid;\nerror_log stderr notice;
events {}\nhttp {\naccess_log off;\n${paths.join("\n")}\n${http}}\n`,
  );
  const running = start(program, ["-p", directory, "-e", "stderr", "-c", file], { directory });
  await expect.poll(() => running.stderr()).toContain("start worker process ");

  return {
    send: (bytes) => exchange(connect({ port, host: "127.0.0.1", rejectUnauthorized: false }), bytes),
    sendWithoutTls: (bytes) => exchange(connectPlain(port, "127.0.0.1"), bytes),
    async [Symbol.asyncDispose]() {
      running.kill("SIGTERM"); // it ends its worker
      await running.ended;
    },
  };
}

function expectError({ status, headers, body }: RawAnswer, expected: { status: number; code: string }): void {
  const error = JSON.parse(body) as Record<string, unknown>;
  expect({ status, code: error["code"] }).toEqual(expected);
  expect(error).toEqual({ ...expected, message: expect.stringMatching(/\.$/) as string });
  expect(headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.stringMatching(/^[\w-]+$/) as string,
  });
  expect(headers["retry-after"]).toBe(status === 503 ? "1" : undefined);
}

describe.each(installed.slice(0, 1))("behind %s", (program) => {
  test("200 and 201 as without it, and errors of the same form from nginx and from the service", async () => {
    using directory = temporaryDirectory();
    const { store } = createWaitingStore();
    await using server = await startServer({ store });
    await using nginx = await startNginx(program, directory.path, server);
    const authorization = `Authorization: Bearer ${server.apiKey}\r\n`;
    const host = "Host: petstore.example\r\nConnection: close\r\n";
    const get = (target: string, more = "") =>
      nginx.send(`GET ${target} HTTP/1.1\r\n${host}${authorization}${more}\r\n`);
    const post = (length: number) =>
      nginx.send(
        `POST /v1/pets HTTP/1.1\r\n${host}${authorization}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${" ".repeat(length)}`,
      );

    expect(await get("/v1/pets")).toMatchObject({ status: 200, body: "[]" });
    expectError(await get("/elsewhere"), { status: 404, code: "route_not_found" });
    const served = server.logs.length;
    // By the service.
    expectError(await get(`/v1/pets?limit=${"1".repeat(10_000)}`), { status: 414, code: "uri_too_long" });
    expectError(await get("/v1/pets", `X-Long: ${"x".repeat(20_000)}\r\n`), { status: 431, code: "headers_too_large" });
    expectError(await post(20_000), { status: 413, code: "body_too_large" });
    expect(server.logs.length).toBeGreaterThanOrEqual(served + 3);
    // By nginx.
    const before = server.logs.length;
    expectError(await get("/v1/pets", `X-Long: ${"x".repeat(100_000)}\r\n`), {
      status: 431,
      code: "headers_too_large",
    });
    expectError(await post(100_000), { status: 413, code: "body_too_large" });
    expectError(await get("/v1/pets", "Host: another.example\r\n"), { status: 400, code: "invalid_request" });
    expectError(await get("/v1/pets", "Transfer-Encoding: gzip\r\n"), { status: 400, code: "invalid_request" });
    expectError(await get("/v1/pets/%"), { status: 400, code: "invalid_request" });
    expectError(await get(`/v1/${"x".repeat(100_000)}`), { status: 414, code: "uri_too_long" });
    expectError(await nginx.send("GET /v1/pets HTTP/3.7\r\n\r\n"), { status: 400, code: "invalid_request" });
    expectError(await nginx.send("not HTTP\r\n\r\n"), { status: 400, code: "invalid_request" });
    expectError(await nginx.sendWithoutTls(`GET /v1/pets HTTP/1.1\r\n${host}\r\n`), {
      status: 400,
      code: "invalid_request",
    });
    expect(server.logs).toHaveLength(before);
    // A service that does not respond, and one that is not there.
    const pet = '{"name":"Rex","categoryId":7}';
    const creation = `POST /v1/pets HTTP/1.1\r\n${host}${authorization}Content-Type: application/json\r\nContent-Length: ${pet.length}\r\n\r\n${pet}`;
    expectError(await nginx.send(creation), { status: 503, code: "unavailable" });
    await server.stop(0);
    expectError(await get("/v1/pets"), { status: 503, code: "unavailable" });
  });
});
