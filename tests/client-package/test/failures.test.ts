import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { launchChromium } from "@petstore/test-kit/chromium";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { expect, inject, test } from "vitest";
import { bundleWithEsbuild } from "./bundle.ts";

const run = promisify(execFile);
const project = inject("project");
const { resolve } = createRequire(import.meta.url);

/** Prints the errors of calls to a server that redirects, closes the connection, and sends too much. */
const program = (origin: string): string => `
  import { createPetstoreClient } from "@petstore/client";
  async function messageOf(path) {
    const options = { baseUrl: "${origin}" + path, apiKey: "key", maxRetries: 0, maxResponseBytes: 9 };
    return await createPetstoreClient(options).getPet(1).catch(({ message }) => message);
  }
  async function messages() {
    return [await messageOf("/moved/v1"), await messageOf("/closed/v1"), await messageOf("/large/v1")];
  }`;

const server: RequestListener = ({ url = "", socket }, response) => {
  response.setHeader("Access-Control-Allow-Origin", "*");
  if (url.startsWith("/moved")) response.writeHead(308, { Location: "https://new.example/v1/pets/1" }).end();
  else if (url.startsWith("/closed")) socket.destroy();
  else if (url.startsWith("/large")) response.end(" ".repeat(10));
  else if (url === "/") response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Empty</title>");
  else response.writeHead(404).end();
};

/** @param closed the reason of the second error */
function messages(origin: string, closed: string, target = "https://new.example/v1/pets/1", status = 308): unknown[] {
  const noResponse = new RegExp(`^getPet got no complete response from ${origin}/closed/v1: .*${closed}`);
  return [
    `getPet: redirected to ${target}: change baseUrl (${status} redirected)`,
    expect.stringMatching(noResponse),
    "getPet got a response that breaks the contract: body must be at most 9 bytes (maxResponseBytes)",
  ];
}

test.each([
  ["Node", process.execPath, [], "connection closed$"],
  ["Bun", resolve("@oven/bun-linux-x64-baseline/bin/bun"), [], "connection closed$"],
  ["Deno", resolve("@deno/linux-x64-glibc/deno"), ["run", "--no-prompt", "--allow-net"], "connection closed before"],
])("errors give their reasons on %s", async (name, runtime, flags, closed) => {
  await using failing = await startHttpServer(server);
  const file = `failures-on-${name}.js`;
  await writeFile(join(project, file), `${program(failing.origin)}\nconsole.log(JSON.stringify(await messages()));`);
  const { stdout, stderr } = await run(runtime, [...flags, file], { cwd: project, env: {} });
  expect(JSON.parse(stdout)).toEqual(messages(failing.origin, closed));
  expect(stderr).toBe("");
});

test("errors give their reasons in a Cloudflare Worker", async () => {
  await using failing = await startHttpServer(server);
  const worker = `${program(failing.origin)}
    export default { test: async () => console.log(JSON.stringify(await messages())) };`;
  const configuration = await readFile(join(project, "worker.capnp"), "utf8");
  await writeFile(join(project, "failures.capnp"), configuration.replace("worker.bundle.js", "failures.bundle.js"));
  await writeFile(join(project, "failures.bundle.js"), await bundleWithEsbuild(worker));

  const workerd = resolve("@cloudflare/workerd-linux-64/bin/workerd");
  const { stdout } = await run(workerd, ["test", "failures.capnp"], { cwd: project });

  expect(JSON.parse(stdout)).toEqual(messages(failing.origin, "Network connection lost."));
});

test("errors give their reasons in Chromium, which hides the target of a redirect", async () => {
  await using failing = await startHttpServer(server);
  await using browser = await launchChromium(project);
  const page = await browser.newPage();
  await page.goto(failing.origin);
  const code = await bundleWithEsbuild(`${program(failing.origin)}\nglobalThis.messages = messages;`);
  await page.addScriptTag({ content: code, type: "module" });
  await page.waitForFunction("globalThis.messages");
  expect(await page.evaluate("messages()")).toEqual(messages(failing.origin, "Failed to fetch", "another address", 0));
});
