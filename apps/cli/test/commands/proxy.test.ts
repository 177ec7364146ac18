import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { test } from "../support/fixtures.ts";
import { listNothing } from "../support/other-servers.ts";
import { petstoreProcess } from "../support/petstore.ts";
import { longKey } from "../support/saved-settings.ts";

// Node itself knows what a proxy is for, and tests it. These tests check that it is used.

const far = { url: "http://petstore.test/v1", apiKey: longKey("any") };

/** Lets a server listen until the test ends. Returns its port. */
async function listen(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

/** A proxy whose tunnels all lead to one port of this machine. */
async function startProxy(to: number) {
  const tunnels: [target: string | undefined, credentials: string | undefined][] = [];
  const server = createServer().on("connect", ({ url, headers }, client: Socket) => {
    tunnels.push([url, headers["proxy-authorization"]]);
    const service = connect(to, "127.0.0.1", () => client.write("HTTP/1.1 200 Connected\r\n\r\n"));
    for (const socket of [client, service]) socket.on("error", () => {});
    service.pipe(client).pipe(service);
  });
  return { port: await listen(server), tunnels };
}

test("0: an address is reached through HTTP_PROXY, unless NO_PROXY excludes it or it is on this machine", async ({
  server,
}) => {
  const proxy = await startProxy(server.port);
  const HTTP_PROXY = `http://user:pass%20word@127.0.0.1:${proxy.port}`;
  const run = async (url: string, more: Record<string, string> = {}) => {
    const options = { server: { ...server, url }, environment: { HTTP_PROXY, ...more } };
    const { exitCode, stdout, stderr } = await petstoreProcess("pets list --retries 0", options);
    expect(stdout + stderr).not.toMatch(/pass word|pass%20/);
    return exitCode;
  };
  expect(await run(far.url)).toBe(0);
  expect(await run(far.url, { NO_PROXY: "petstore.test" })).toBe(9);
  expect(await run(server.url)).toBe(0);
  expect(proxy.tunnels).toEqual([["petstore.test:80", `Basic ${btoa("user:pass word")}`]]);
});

test("2: an invalid address of a proxy is a wrong setting, which is not repeated: it may have a password", async () => {
  const environment = { HTTP_PROXY: "http://user:secret@:80" };
  const { exitCode, stderr } = await petstoreProcess("pets list", { server: far, environment });
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining("must be addresses like http://host:port"),
  ]);
  expect(stderr).not.toContain("secret");
});

test("9: a certificate that no known authority has signed is refused, unless a variable names it", async ({
  home,
}) => {
  const [key, certificate] = [join(home, "tls.key"), join(home, "tls.pem")];
  const request =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=petstore.test";
  const files = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate];
  execFileSync("openssl", [...request.split(" "), ...files], { stdio: "pipe" });
  const secure = createTlsServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    listNothing,
  );
  const server = { ...far, url: `https://127.0.0.1:${await listen(secure)}/v1` };
  const run = (environment: Record<string, string>) =>
    petstoreProcess("pets list --retries 0 -q", { server, environment });
  expect(await run({ NODE_EXTRA_CA_CERTS: certificate })).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
  const stderr = expect.stringContaining(
    "The certificate of the server is not from a known authority.",
  );
  expect(await run({})).toMatchObject({ exitCode: 9, stderr });
});
