import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { root } from "@petstore/test-kit/checkout";
import { copyCheckout } from "@petstore/test-kit/checkout-copy";
import { startHttpServer, type HttpServer } from "@petstore/test-kit/http-server";
import { start, temporaryDirectory } from "@petstore/test-kit/processes";
import { afterAll, beforeAll, expect, test } from "vitest";

const workspaces = ["packages/client", "apps/cli"];

// The files of a package change while npm packs it.
const copy = copyCheckout();
afterAll(() => copy[Symbol.dispose]());
beforeAll(async () => {
  await copy.commit();
  copy.linkPackages();
  // The build of the checkout is that of the copy.
  for (const workspace of workspaces) replaceBuild(workspace, `cp -R "${join(root, workspace, "dist")}" .`);
});

test.each(workspaces)("0: in %s npm and pnpm build the package and pack the same files", async (workspace) => {
  const byNpm = await pack("npm", workspace);
  expect(Object.keys(byNpm)).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
  expect(byNpm["package.json"]).not.toContain("/src/");
  rmSync(join(copy.path, workspace, "dist"), { recursive: true });
  expect(await pack("pnpm", workspace)).toEqual(byNpm);
  await expectNoChange();
});

test("1: npm leaves no change if it cannot write the file", async () => {
  const packing = copy.runIn("packages/client", "npm", "pack", "--pack-destination=/nowhere");
  await expect(packing).rejects.toThrow("ENOENT");
  await expectNoChange();
});

test("0: npm publishes the manifest and the files of a release", async () => {
  const { promise: published, resolve } = Promise.withResolvers<Published>();
  await using registry = await startRegistry((body, respond) => {
    resolve(body);
    respond();
  });
  await copy.runIn("packages/client", "npm", ...publishTo(registry));

  const { versions, _attachments: files } = await published;
  const manifest = Object.values(versions)[0];
  expect(manifest).toMatchObject({ exports: { ".": { import: "./dist/index.js", require: "./dist/index.cjs" } } });
  expect(Object.keys(manifest ?? {}).filter((field) => /scripts|dependencies/i.test(field))).toEqual([]);
  const tarball = Buffer.from(Object.values(files)[0]?.data ?? "", "base64");
  expect((await unpack(tarball))["package.json"]).toContain("./dist/index.cjs");
  await expectNoChange();
});

test("npm leaves no change if it is killed while it publishes", async () => {
  const { promise: isPublishing, resolve } = Promise.withResolvers<void>();
  await using registry = await startRegistry(() => resolve());
  const environment = { PATH: process.env["PATH"] ?? "" };
  const directory = join(copy.path, "packages/client");
  await using npm = start("npm", publishTo(registry), { directory, environment });
  await isPublishing;
  expect(readFileSync(join(directory, "package.json"), "utf8")).not.toContain("/src/");
  npm.kill("SIGKILL");
  expect(await npm.ended).toMatchObject({ signal: "SIGKILL" });
  await expectNoChange();
});

test("1: npm packs nothing if the build fails", async () => {
  replaceBuild("packages/client", "exit 3");
  await expect(pack("npm", "packages/client")).rejects.toThrow("The package was not built.");
  await expectNoChange();
});

/** npm may have ended a moment before its files are restored. */
async function expectNoChange(): Promise<void> {
  await expect.poll(() => copy.runIn(".", "git", "status", "--porcelain", ...workspaces), { timeout: 5_000 }).toBe("");
}

function replaceBuild(workspace: string, command: string): void {
  const program = join(copy.path, workspace, "node_modules/.bin/tsdown");
  rmSync(program);
  writeFileSync(program, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
}

/** Packs a package, and returns its files. */
async function pack(packer: string, workspace: string): Promise<Record<string, string>> {
  using outside = temporaryDirectory();
  await copy.runIn(workspace, packer, "pack", `--pack-destination=${outside.path}`);
  const [file = ""] = readdirSync(outside.path);
  return await unpack(readFileSync(join(outside.path, file)));
}

/** The files of a tarball, by path. */
async function unpack(tarball: Uint8Array): Promise<Record<string, string>> {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, "package.tgz"), tarball);
  await promisify(execFile)("tar", ["-xzf", "package.tgz"], { cwd: directory.path });
  const files = readdirSync(join(directory.path, "package"), { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const entries = paths.map((path) => [path.split("/package/")[1], readFileSync(path, "utf8")]);
  return Object.fromEntries(entries);
}

/** What npm sends to a registry. */
interface Published {
  versions: Record<string, object>;
  _attachments: Record<string, { data: string }>;
}

/** A registry without packages. */
async function startRegistry(onPublish: (body: Published, respond: () => void) => void): Promise<HttpServer> {
  return await startHttpServer((request, response) => {
    if (request.method === "PUT")
      void json(request).then((body) => onPublish(body as Published, () => response.writeHead(201).end("{}")));
    else response.writeHead(404).end("{}");
  });
}

function publishTo({ origin }: HttpServer): string[] {
  const key = `--//${new URL(origin).host}/:_authToken=secret`;
  return ["publish", `--registry=${origin}`, key, "--provenance=false"];
}
