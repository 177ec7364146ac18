import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { startServer } from "@petstore/server/start-server";
import { nodes } from "@petstore/test-kit/nodes";
import { expectPublished, install, pack } from "@petstore/test-kit/package";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };

const run = promisify(execFile);
const directory = temporaryDirectory();
const project = join(directory.path, "project");
const modules = join(project, "node_modules");
const installed = join(modules, "@petstore/cli");

beforeAll(async () => {
  await install(await pack("apps/cli", directory.path), project);
});

afterAll(() => directory[Symbol.dispose]());

/** The lists of bundled packages, for people and for programs. */
const lists = ["THIRD-PARTY-NOTICES", "sbom.cdx.json"] as const;

test("0: the package has the program, notices of its bundled parts, a changelog and a licence, in 660 kB", async () => {
  const files = await readdir(installed, { recursive: true });
  const all = [
    "LICENSE",
    "README.md",
    "package.json",
    "dist",
    ...lists.map((file) => `dist/${file}`),
  ];
  // The entry, and what it loads when it is used.
  const programs = files.filter((file) => /^dist\/[\w-]+\.cjs$/.test(file));
  expect(programs).toEqual(expect.arrayContaining(["dist/petstore.cjs", "dist/main.cjs"]));
  const others = files.filter((file) => file !== "CHANGELOG.md" && !programs.includes(file));
  expect(others.toSorted()).toEqual(all.toSorted());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(installed, file))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(660_000);
  const manifest = await expectPublished(project, "@petstore/cli", "apps/cli");
  expect(manifest).toMatchObject({
    bin: { petstore: "./dist/petstore.cjs" },
    engines: { node: ">=24.15" },
  });
});

test("0: the package has the licence of every bundled package, and its bill of materials names the same packages", async () => {
  const [notices = "", bill = ""] = await Promise.all(
    lists.map((file) => readFile(join(installed, "dist", file), "utf8")),
  );
  const noticed = [
    ...notices.matchAll(/^(\S+ \d\S*) \([\w.-]+\)\n\n(?=.*(?:licen[cs]e|copyright))/gim),
  ].map(([, part = ""]) => part);
  const parts = ["cli-progress", "commander", "fast-string-truncated-width"];
  expect(noticed.map((part) => part.split(" ")[0])).toEqual(expect.arrayContaining(parts));
  expect(notices).not.toContain("comes without the text");
  expect(notices).toContain("Copyright (c) 2011 TJ Holowaychuk");
  const { components } = JSON.parse(bill) as {
    components: { group?: string; name: string; version: string }[];
  };
  const listed = components.map(
    ({ group, name, version }) => `${group ? `${group}/` : ""}${name} ${version}`,
  );
  expect(listed.toSorted()).toEqual(noticed.toSorted());
});

const supported = nodes.filter(({ major }) => major >= 24);

test.each(supported)("0: the installed petstore works on Node $major", async ({ node }) => {
  using home = temporaryDirectory();
  await using server = await startServer();
  const connection = { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: server.apiKey };
  const environment = { PATH: dirname(node), HOME: home.path, ...connection };

  /** Runs it like a shell, with the program in the first line of the file. */
  async function petstore(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(join(modules, ".bin", "petstore"), args, { env: environment });
    return stdout;
  }

  expect(await petstore("--version")).toBe(`${packageJson.version}\n`);
  const rex = { id: 1, name: "Rex", categoryId: "9223372036854775807", status: "available" };
  await petstore("pets", "create", "--name", "Rex", "--category-id", rex.categoryId);
  expect(await petstore("pets", "list")).toBe(`${JSON.stringify(rex).replace(/"(\d+)"/, "$1")}\n`);
  expect(await petstore("orders", "list", "-q")).toBe("");
  expect(await petstore("auth", "status")).toContain(server.url);
  const importing = run(
    join(modules, ".bin", "petstore"),
    ["pets", "import", "-", "--import-id", "tom"],
    {
      env: environment,
    },
  );
  importing.child.stdin?.end('{"name":"Tom","categoryId":1}\n');
  expect((await importing).stdout).toBe('{"added":1,"alreadyAdded":0,"rejected":0}\n');
});
