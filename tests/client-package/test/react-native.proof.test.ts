import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { startServer } from "@petstore/server/start-server";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { resolveTool, toolsDirectory } from "@petstore/test-kit/tools";
import { expect, inject, test } from "vitest";

const app = join(inject("project"), "react-native");

interface Metro {
  getDefaultConfig: (root: string) => Promise<Record<"resolver" | "serializer", object>>;
  runBuild: (config: object, options: object) => Promise<{ code: string }>;
}

async function load<Name extends keyof Metro>(file: string): Promise<Pick<Metro, Name>> {
  return ((await import(pathToFileURL(resolveTool(file)).href)) as { default: Metro }).default;
}

/** Bundles the app as React Native does. Returns the file. */
async function bundleWithMetro(): Promise<string> {
  const modules = join(toolsDirectory, "node_modules");
  const { getDefaultConfig } = await load<"getDefaultConfig">("@react-native/metro-config");
  const { resolver, serializer, ...config } = await getDefaultConfig(app);
  const { runBuild } = await load<"runBuild">("metro");
  const options = {
    ...config,
    cacheStores: [],
    maxWorkers: 1,
    reporter: { update() {} },
    watchFolders: [inject("project"), modules],
    resolver: {
      ...resolver,
      nodeModulesPaths: [modules, join(modules, ".pnpm/node_modules")],
      useWatchman: false,
    },
    // Without the setup of React Native, which needs a device.
    serializer: { ...serializer, getModulesRunBeforeMainModule: () => [], getPolyfills: () => [] },
  };
  const { code } = await runBuild(options, {
    entry: join(app, "app.js"),
    dev: false,
    platform: "ios",
  });
  const bundle = join(app, "bundle.cjs");
  await writeFile(bundle, code);
  return bundle;
}

test("the packed client works in a React Native app, bundled with Metro, but follows redirects", async () => {
  await using server = await startServer();
  const { url: baseUrl, apiKey } = server;
  const listener: RequestListener = ({ url = "" }, response) => {
    if (url.startsWith("/moved")) response.writeHead(308, { Location: `${baseUrl}/pets` }).end();
  };
  await using failing = await startHttpServer(listener);
  const connections = {
    options: { baseUrl, apiKey },
    silent: { baseUrl: `${failing.origin}/silent/v1`, apiKey },
    moved: { baseUrl: `${failing.origin}/moved/v1`, apiKey },
  };
  await writeFile(join(app, "connections.json"), JSON.stringify(connections));
  const bundle = await bundleWithMetro();
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [bundle], { env: {} });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    page: { names: ["Rex", "Tom"], isLast: false },
    walked: ["Rex", "Tom", "Kim"],
    reused: expect.stringMatching(/^BadRequestError: .*\(422 idempotency_key_reused\)$/),
    large: "InvalidArgumentError: integers beyond 2^53 - 1 need JSON.rawJSON, as in Node 22",
    keyless:
      "InvalidArgumentError: idempotencyKey must be passed: there is no crypto.getRandomValues",
    late: "TimeoutError: listPets timed out after 20 ms (attempt 1 of 1)",
    aborted: "Error: enough",
    moved: ["Rex", "Tom", "Kim"],
  });
});
