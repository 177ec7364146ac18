import { isProof } from "@petstore/test-kit/endurance";
import { eventually } from "@petstore/test-kit/eventually";
import { start } from "@petstore/test-kit/processes";
import { runtimes } from "@petstore/test-kit/runtimes";
import { describe, expect, onTestFinished, vi } from "vitest";
import { binary } from "./binary.ts";
import { test } from "./fixtures.ts";
import { startProxy, startSilentProxy, startTls } from "./own-network.ts";
import { petstore, startPetstore } from "./petstore.ts";
import { longKey } from "./saved-settings.ts";

const far = "http://petstore.test/v1";
const farSecure = "https://petstore.test/v1";

function portOf({ url }: { url: string }): number {
  return Number(new URL(url).port);
}

test.for([
  ["HTTP_PROXY", {}],
  ["http_proxy", { HTTP_PROXY: "http://127.0.0.1:9" }],
] as const)("0: an address is reached through the proxy in %s", async ([name, more], { server }) => {
  await using proxy = await startProxy(portOf(server));
  const environment = { ...more, [name]: `127.0.0.1:${proxy.port}` };
  const ended = await petstore("pets list", { server: { ...server, url: far }, environment });
  expect(ended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("is not encrypted") });
  expect(proxy.tunnels).toEqual(["petstore.test:80"]);
});

test("9: NO_PROXY excludes addresses from the proxy, and no others", async ({ server }) => {
  await using proxy = await startProxy(portOf(server));
  const run = async (noProxy: string) => {
    const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: noProxy };
    const options = { server: { ...server, url: far }, environment };
    return (await petstore("pets list --retries 0 --quiet", options)).exitCode;
  };
  for (const excluding of ["petstore.test", "*", "other.test, .test"]) expect(await run(excluding)).toBe(9);
  expect(proxy.tunnels).toEqual([]);
  for (const other of ["not.test", "etstore.test", "petstore.test:81"]) expect(await run(other)).toBe(0);
  expect(proxy.tunnels).toHaveLength(3);
});

test("0: this machine is reached without the proxy, and so is http with HTTPS_PROXY", async ({ server }) => {
  const environment = { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" };
  expect(await petstore("pets list", { server, environment })).toMatchObject({ exitCode: 0 });
});

test("9: the credentials of a proxy are sent to it, and never shown", async ({ server }) => {
  await using proxy = await startProxy(portOf(server), "user:pass word");
  const run = async (user: string, command: string) => {
    const environment = { HTTP_PROXY: `http://${user}@127.0.0.1:${proxy.port}` };
    const options = { server: { ...server, url: far }, environment };
    const { exitCode, stdout, stderr } = await petstore(`${command} --retries 0`, options);
    expect(stdout + stderr).not.toMatch(/pass word|pass%20|wrong/);
    return { exitCode, text: stdout + stderr };
  };
  for (const command of ["pets list --verbose", "api pets", "doctor", "config list"]) {
    expect(await run("user:pass%20word", command)).toMatchObject({ exitCode: 0 });
  }
  const refused = `The proxy http://127.0.0.1:${proxy.port} rejected the user name or the password in its address (407)`;
  expect(await run("user:wrong", "pets list")).toEqual({ exitCode: 9, text: expect.stringContaining(refused) });
  const without = { server: { ...server, url: far }, environment: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` } };
  expect((await petstore("pets list --retries 0", without)).stderr).toContain("requires a user name and a password");
  expect(await run("user:wrong", "doctor")).toEqual({ exitCode: 9, text: expect.stringContaining(refused) });
});

test("9: a proxy that is not there is reported, and so is one that is no address", async ({ server }) => {
  const run = (proxy: string) =>
    petstore("pets list --retries 0 -q", { server: { ...server, url: far }, environment: { HTTP_PROXY: proxy } });
  expect(await run("http://127.0.0.1:9")).toMatchObject({
    exitCode: 9,
    stderr: expect.stringContaining("The proxy http://127.0.0.1:9 cannot be used: connect ECONNREFUSED"),
  });
  expect(await run("socks5://user:secret@127.0.0.1:9")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/\nerror: HTTP_PROXY must be an address like http:\/\/host:port\n$/),
  });
});

/** Silent from the beginning, and silent when TLS begins. */
const silences = [
  ["http_proxy", far, ""],
  ["https_proxy", farSecure, "HTTP/1.1 200 Connected\r\n\r\n"],
] as const;

describe.for(silences)("a silent %s", ([variable, url, greeting]) => {
  const options = (port: number) => ({
    server: { url, apiKey: longKey("any") },
    environment: { [variable]: `http://127.0.0.1:${port}` },
  });

  test("130: ends at Ctrl-C", async () => {
    await using proxy = await startSilentProxy(greeting);
    await using running = startPetstore("pets list -q", options(proxy.port));
    await eventually(() => proxy.heard() === 1);
    running.kill("SIGINT");
    expect(await running.ended).toMatchObject({ exitCode: 130, signal: null });
  });

  test("9: is given up after 10 seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await using proxy = await startSilentProxy(greeting);
    const ended = petstore("pets list -q --retries 0 --timeout 1m", options(proxy.port));
    await eventually(() => proxy.heard() === 1);
    vi.advanceTimersByTime(10_000);
    expect(await ended).toMatchObject({ exitCode: 9, stderr: expect.stringContaining("no response within 10 s") });
    await eventually(() => proxy.open() === 0);
  });
});

// Every night with every version of Node: each has its own undici.
const tested = runtimes.filter(({ node }) => isProof || node === process.execPath);

test.for(tested)(
  "0: TLS through a proxy, with an own authority, on Node $major",
  async ({ node }, { server, home }) => {
    await using secure = await startTls(portOf(server), home);
    await using proxy = await startProxy(secure.port, "user:secret");
    const run = async (certificates: Record<string, string>, url = farSecure) => {
      const environment = {
        HOME: home,
        PETSTORE_API_KEY: server.apiKey,
        PETSTORE_BASE_URL: url,
        HTTPS_PROXY: `http://user:secret@127.0.0.1:${proxy.port}`,
        ...certificates,
      };
      const args = [binary, "pets", "create", "--name", "Rex", "--category-id", "1", "--retries", "0"];
      return await start(node, args, { directory: home, environment }).ended;
    };
    for (const name of ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"]) {
      expect({ name, ...(await run({ [name]: secure.certificate })) }).toMatchObject({ exitCode: 0, stderr: "" });
    }
    const numeric = await run({ SSL_CERT_FILE: secure.certificate }, "https://192.0.2.1/v1");
    expect(numeric).toMatchObject({ exitCode: 0, stderr: "" });
    expect(proxy.tunnels).toEqual(["petstore.test:443", "petstore.test:443", "192.0.2.1:443"]);
    // This machine is reached without the proxy.
    const direct = await run({ SSL_CERT_FILE: secure.certificate }, `https://127.0.0.1:${secure.port}/v1`);
    expect([direct.exitCode, proxy.tunnels.length]).toEqual([0, 3]);
    expect(await run({})).toMatchObject({
      exitCode: 9,
      stderr: expect.stringContaining("The certificate of the server is not from a known authority."),
    });
  },
);
