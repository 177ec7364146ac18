import { eventually } from "@petstore/test-kit/eventually";
import type { Ended } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { startProxy, startSilentProxy, startTls } from "../support/own-network.ts";
import { petstoreProcess, startPetstore } from "../support/petstore.ts";
import { longKey } from "../support/saved-settings.ts";

const far = "http://petstore.test/v1";
const farSecure = "https://petstore.test/v1";

function portOf({ url }: { url: string }): number {
  return Number(new URL(url).port);
}

test("0: an address is reached through HTTP_PROXY, unless NO_PROXY excludes it or it is on this machine", async ({
  server,
}) => {
  await using proxy = await startProxy(portOf(server));
  const run = async (more: Record<string, string>) => {
    const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, ...more };
    return await petstoreProcess("pets list --retries 0", { server: { ...server, url: far }, environment });
  };
  expect(await run({})).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("is not encrypted") });
  expect(proxy.tunnels).toEqual(["petstore.test:80"]);
  expect(await run({ NO_PROXY: "petstore.test" })).toMatchObject({ exitCode: 9 });
  const local = { server, environment: { HTTP_PROXY: "http://127.0.0.1:9" } };
  expect(await petstoreProcess("pets list -q", local)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(proxy.tunnels).toHaveLength(1);
});

test("9: the credentials of a proxy are sent to it, and never shown", async ({ server }) => {
  await using proxy = await startProxy(portOf(server), "user:pass word");
  const run = async (user: string, command: string) => {
    const environment = { HTTP_PROXY: `http://${user}@127.0.0.1:${proxy.port}` };
    const options = { server: { ...server, url: far }, environment };
    const { exitCode, stdout, stderr } = await petstoreProcess(`${command} --retries 0`, options);
    expect(stdout + stderr).not.toMatch(/pass word|pass%20|wrong/);
    return exitCode;
  };
  expect(await run("user:pass%20word", "pets list")).toBe(0);
  expect(await run("user:wrong", "auth status")).toBe(9);
});

test("9: a missing proxy is a network failure, and an invalid address is a wrong setting", async () => {
  const options = { server: { url: far, apiKey: longKey("any") } };
  const [missing, wrong] = ["http://127.0.0.1:9", "http://user:secret@:80"].map((HTTP_PROXY) =>
    petstoreProcess("pets list --retries 0 -q", { ...options, environment: { HTTP_PROXY } }),
  );
  expect(await missing).toMatchObject({ exitCode: 9 });
  const { exitCode, stderr } = (await wrong) as Ended;
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("must be addresses like http://host:port")]);
  expect(stderr).not.toContain("secret");
});

/** Silent from the beginning, and silent when TLS begins. */
const silences = [
  ["HTTP_PROXY", far, ""],
  ["HTTPS_PROXY", farSecure, "HTTP/1.1 200 Connected\r\n\r\n"],
] as const;

test.for(silences)("130: Ctrl-C ends the wait for a silent %s", async ([variable, url, greeting]) => {
  await using proxy = await startSilentProxy(greeting);
  const environment = { [variable]: `http://127.0.0.1:${proxy.port}` };
  await using running = startPetstore("pets list -q", { server: { url, apiKey: longKey("any") }, environment });
  await eventually(() => proxy.heard() === 1);
  running.kill("SIGINT");
  expect(await running.ended).toMatchObject({ exitCode: 130, signal: null });
});

test("0: TLS through a proxy, with a custom certificate authority", async ({ server, home }) => {
  await using secure = await startTls(portOf(server), home);
  await using proxy = await startProxy(secure.port, "user:secret");
  const run = (certificates: Record<string, string>) => {
    const HTTPS_PROXY = `http://user:secret@127.0.0.1:${proxy.port}`;
    const options = { server: { ...server, url: farSecure }, environment: { HTTPS_PROXY, ...certificates } };
    return petstoreProcess("pets create --name Rex --category-id 1 --retries 0", options);
  };
  expect(await run({ NODE_EXTRA_CA_CERTS: secure.certificate })).toMatchObject({ exitCode: 0, stderr: "" });
  expect(proxy.tunnels).toEqual(["petstore.test:443"]);
  expect(await run({})).toMatchObject({
    exitCode: 9,
    stderr: expect.stringContaining("The certificate of the server is not from a known authority."),
  });
});
