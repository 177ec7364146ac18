import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import type { ErrorCode } from "@petstore/contract";
import { boardFiles, boardPage } from "@petstore/test-kit/board-files";
import { onFreePort } from "@petstore/test-kit/free-port";
import { start, temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, test } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { close, post, rex, get as toGet } from "../support/raw-request.ts";
import { parseResponses, type RawResponse } from "../support/raw-response.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

const page = readFileSync(new URL("../../../../docs/deployment.md", import.meta.url), "utf8");
const [, documented = ""] = /^```nginx\n([^]*?)^```$/m.exec(page) ?? [];

const directories = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
const installed = directories.map((directory) => join(directory, "nginx")).filter((file) => existsSync(file));

test("the page has the configuration of nginx that is tested", () => {
  if (installed.length === 0) process.stderr.write("nginx is NOT tested: install it for that.\n");
  expect(documented).toContain("proxy_pass http://petstore;\n");
});

function get(target: string, ...headers: readonly string[]): string {
  return toGet(target, close, ...headers);
}

interface Nginx extends AsyncDisposable {
  /** Sends bytes over TLS, and reads until nginx closes the connection. */
  send: (bytes: string) => Promise<RawResponse | undefined>;
  sendWithoutTls: (bytes: string) => Promise<RawResponse | undefined>;
}

async function exchange(socket: Socket, bytes: string): Promise<RawResponse | undefined> {
  socket.on("error", () => {}); // nginx may not read everything
  socket.write(bytes);
  const received = await text(socket.setEncoding("latin1"));
  // It has no reason phrase for some statuses, as HTTP allows.
  const responses = parseResponses(received.replace(/^HTTP\/1\.1 (\d+) \r\n/, "HTTP/1.1 $1 Unnamed\r\n"));
  expect(responses).toHaveLength(1);
  return responses[0];
}

/** nginx with the configuration of the page, or a changed one. */
async function startNginx(program: string, service: TestServer, configuration = documented): Promise<Nginx> {
  const temporary = temporaryDirectory();
  const directory = temporary.path;
  const [key, certificate] = [join(directory, "key.pem"), join(directory, "certificate.pem")];
  const newCertificate =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=petstore.example";
  execFileSync("openssl", [...newCertificate.split(" "), "-keyout", key, "-out", certificate], { stdio: "pipe" });
  const http = configuration
    .replace("127.0.0.1:8080", `127.0.0.1:${service.port}`)
    .replace("listen 443 ssl", "listen 127.0.0.1:PORT ssl")
    .replace("/etc/ssl/petstore.pem", certificate)
    .replace("/etc/ssl/private/petstore.key", key);
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = kinds.map((name) => `${name}_temp_path ${directory}/${name};`);
  const file = join(directory, "nginx.conf");
  const complete = `${process.getuid?.() === 0 ? "user root;\n" : ""}daemon off;\npid ${directory}/pid;\nerror_log stderr notice;
events {}\nhttp {\naccess_log off;\n${paths.join("\n")}\n${http}}\n`;
  const { port, running } = await onFreePort(async (freePort) => {
    writeFileSync(file, complete.replace(":PORT ", `:${freePort} `));
    const started = start(program, ["-p", directory, "-e", "stderr", "-c", file], { directory });
    await started.printed(/start worker process /, "stderr");
    return { port: freePort, running: started };
  });

  return {
    send: (bytes) => exchange(connect({ port, host: "127.0.0.1", rejectUnauthorized: false }), bytes),
    sendWithoutTls: (bytes) => exchange(connectPlain(port, "127.0.0.1"), bytes),
    async [Symbol.asyncDispose]() {
      running.kill("SIGTERM"); // it ends its worker
      await running.ended;
      temporary[Symbol.dispose]();
    },
  };
}

describe.each(installed.slice(0, 1))("behind %s", (program) => {
  test("200 as without nginx, and errors of the same form from nginx and from the service", async () => {
    const { store } = createWaitingStore();
    await using server = await startServer({ store });
    await using nginx = await startNginx(program, server);

    async function expectRejected(request: string, code: ErrorCode, send = nginx.send): Promise<void> {
      const response = await send(request.replace("<key>", server.apiKey));
      expectError(response, code, expect.stringMatching(/\.$/));
      expect(response?.headers["retry-after"]).toBe(code === "unavailable" ? "1" : undefined);
    }

    const listed = await nginx.send(get("/v1/pets").replace("<key>", server.apiKey));
    expect(listed).toMatchObject({ status: 200, body: "[]" });
    await expectRejected(get("/elsewhere"), "route_not_found");
    const served = server.logs.length;
    // By the service.
    await expectRejected(get(`/v1/pets?limit=${"1".repeat(10_000)}`), "uri_too_long");
    await expectRejected(get("/v1/pets", `X-Long: ${"x".repeat(20_000)}`), "headers_too_large");
    await expectRejected(post(" ".repeat(20_000), close), "body_too_large");
    expect(server.logs.length).toBeGreaterThanOrEqual(served + 3);
    // By nginx.
    const before = server.logs.length;
    await expectRejected(get("/v1/pets", `X-Long: ${"x".repeat(100_000)}`), "headers_too_large");
    await expectRejected(post(" ".repeat(100_000), close), "body_too_large");
    await expectRejected(get("/v1/pets", "Host: another.example"), "invalid_request");
    await expectRejected(get("/v1/pets", "Transfer-Encoding: gzip"), "invalid_request");
    await expectRejected(get("/v1/pets/%"), "invalid_request");
    await expectRejected(get(`/v1/${"x".repeat(100_000)}`), "uri_too_long");
    await expectRejected("GET /v1/pets HTTP/3.7\r\n\r\n", "invalid_request");
    await expectRejected("not HTTP\r\n\r\n", "invalid_request");
    await expectRejected(get("/v1/pets"), "invalid_request", nginx.sendWithoutTls);
    expect(server.logs).toHaveLength(before);
    // A service that does not respond, and one that is not running.
    const impatient = documented.replace("proxy_read_timeout 30s", "proxy_read_timeout 100ms");
    await using other = await startNginx(program, server, impatient);
    await expectRejected(post(rex, close), "unavailable", other.send);
    await server.stop(0);
    await expectRejected(get("/v1/pets"), "unavailable");
  });

  test("200 for the board below a path, with the two changes that the page names, and 301 to its slash", async () => {
    const [location = "", pass = ""] =
      /\*\*Below a path\*\*[^`]*`\/shelter\/`.*`(.*)` and `(.*)`/.exec(page)?.slice(1) ?? [];
    await using server = await startServer();
    const below = documented.replace("location / {", `${location} {`).replace("proxy_pass http://petstore;", pass);
    await using nginx = await startNginx(program, server, below);
    const board = await nginx.send(get("/shelter/", "Accept: text/html"));
    expect(board).toMatchObject({ status: 200, body: boardPage.toString("latin1") });
    const files = [...boardFiles].map(async ([target, built]) => {
      expect(await nginx.send(get(`/shelter${target}`))).toMatchObject({ status: 200, body: built.toString("latin1") });
    });
    await Promise.all(files);
    const redirect = await nginx.send(get("/shelter"));
    expect([redirect?.status, new URL(redirect?.headers["location"] ?? "").pathname]).toEqual([301, "/shelter/"]);
    expect(await nginx.send(get("/"))).toMatchObject({ status: 404 }); // by nginx
  });
});
