import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync } from "node:fs";
import { basename, join, matchesGlob } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expectExit, serving, start, type Running } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { test } from "../support/petstore.ts";

const dockerfile = read("deploy/Dockerfile");

/**
 * Builds the program in a folder, as the first stage does. Returns the folder of
 * `COPY --from=build`.
 */
function build(folder: string): string {
  copyBuildContext(folder);
  const [, install = "", bundle = ""] =
    /npx --yes (pnpm\S* install .*)\n[^]*^RUN (node .*) && mkdir/m.exec(dockerfile) ?? [];
  const [, ...installArguments] = install.split(" ");
  const options = { encoding: "utf8", stdio: "pipe" } as const;
  execFileSync("pnpm", [...installArguments, "--prefer-offline"], { ...options, cwd: folder });
  execFileSync(process.execPath, bundle.split(" ").slice(1), {
    ...options,
    cwd: join(folder, "apps/server"),
  });
  return folder;
}

/**
 * The root file system of the image. Its base, which has no shell, is made of the libraries that
 * Node needs on this machine.
 */
function makeRootFileSystem(built: string, folder: string): string {
  mkdirSync(folder, { mode: 0o755 });
  const copy = (from: string, to: string): void =>
    cpSync(from, join(folder, to), { recursive: true, dereference: true });
  const libraries =
    execFileSync("ldd", [process.execPath], { encoding: "utf8" }).match(/\/\S+(?= \()/g) ?? [];
  for (const library of libraries) copy(library, library);
  for (const [, files = ""] of dockerfile.matchAll(
    /^COPY --from=build (?:--chown=\S+ )?(\/.*)$/gm,
  )) {
    const paths = files.split(" ");
    const target = paths.pop() ?? "";
    for (const path of paths.filter((each) => each.startsWith("/build/"))) {
      copy(
        path.replace("/build", built),
        path.endsWith("/") ? target : join(target, basename(path)),
      );
    }
  }
  copy(process.execPath, "usr/local/bin/node");
  for (const name of ["data", "dev", "proc"]) mkdirSync(join(folder, name));
  return folder;
}

/**
 * Runs a program in the image as a container does: as its user, with nothing that can be written
 * but `data`.
 */
function startIn(
  rootFileSystem: string,
  data: string,
  args: readonly string[],
  { more, input }: { more: Record<string, string>; input: string },
): Running {
  const [, user = ""] = /^USER (\S+)$/m.exec(dockerfile) ?? [];
  const environment = Object.fromEntries(
    [...dockerfile.matchAll(/\b(NODE_ENV|TMPDIR|PETSTORE_\w+)=(\S+)/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );
  const script = `
    mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount --bind ${data} "$0/data" &&
    mount --rbind /dev "$0/dev" && mount --rbind /proc "$0/proc" && exec chroot --userspec=${user} "$0" "$@"`;
  return start("unshare", ["--mount", "sh", "-c", script, rootFileSystem, ...args], {
    directory: rootFileSystem,
    input,
    environment: {
      ...environment,
      PATH: process.env["PATH"] ?? "",
      NODE_COMPILE_CACHE: "",
      ...more,
    },
  });
}

/** The words of an instruction such as `CMD ["serve"]`. */
function wordsOf(instruction: RegExp): string[] {
  return JSON.parse(instruction.exec(dockerfile)?.[1] ?? "[]") as string[];
}

/** Whether this machine lets the tests mount and change the root, as in a container of root. */
const canStart = process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0;
if (!canStart) process.stderr.write("NOT tested without root: the image starts.\n");

test("the image builds the program from its files, and starts read-only, as its user, with an empty folder for data", async ({
  petstore: context,
}) => {
  const built = build(context.path("build"));
  const version = execFileSync(process.execPath, [
    join(built, "apps/server/dist/petstore-server.mjs"),
    "--version",
  ]);
  expect(String(version)).toBe(`${packageJson.version}\n`);
  if (!canStart) return;

  const image = makeRootFileSystem(built, context.path("image"));
  const size = Number(
    execFileSync("du", ["--summarize", "--bytes", image], { encoding: "utf8" }).split("\t")[0],
  );
  expect(size).toBeLessThan(160_000_000);
  const data = context.path("data");
  mkdirSync(data);
  chownSync(data, 10_001, 10_001);
  const program = wordsOf(/^ENTRYPOINT (\[.*\])$/m);
  const inImage = (args: readonly string[], more: Record<string, string> = {}, input = "") =>
    startIn(image, data, args, { more, input });
  const anyPort = { PETSTORE_PORT: "0", PETSTORE_ADMIN_PORT: "0" };
  const writing =
    'try { require("fs").writeFileSync("/app/x", "") } catch ({ code }) { console.log(process.getuid(), code) }';
  await expectExit(0, inImage([program[0] ?? "", "-e", writing]).ended, {
    stdout: "10001 EROFS\n",
  });
  const { stdout } = await expectExit(
    0,
    inImage([...program, "keys", "create", "--name", "shop"]).ended,
  );
  const key = stdout.trim();
  const imported = inImage([...program, "import", "orders", "-"], {}, '{"id":1}\n');
  await expectExit(0, imported.ended, { stderr: "1 orders stored, 0 already stored.\n" });

  for (const animals of [1, 2]) {
    await using server = await serving(
      inImage([...program, ...wordsOf(/^CMD (\[.*\])$/m)], anyPort),
    );
    expect((await server.ask("/readyz")).status).toBe(200);
    expect((await server.call(key, "/pets", '{"name":"Bella","categoryId":1}')).status).toBe(201);
    expect((await server.call(key, "/pets")).text.match(/"id"/g)).toHaveLength(animals);
    const [, port = ""] =
      /"url":"http:\/\/127\.0\.0\.1:(\d+)","msg":"admin port open"/.exec(server.stdout()) ?? [];
    const check = (at: string) =>
      wordsOf(/^ +CMD (\[.*\])$/m).map((word) => word.replace(":9090/", `:${at}/`));
    await expectExit(0, inImage(check(port)).ended);
    await expectExit(1, inImage(check("1")).ended);
    const { stdout: log } = await expectExit(0, server.stop());
    expect(log).toContain('"msg":"stopped"');
  }
});

/** Copies the files that neither the checkout nor the image ignores. */
function copyBuildContext(destination: string): void {
  const patterns = read("deploy/Dockerfile.dockerignore").match(/^[^#\n].*/gm) ?? [];
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of files.trim().split("\n")) {
    if (!isIgnored(file, patterns)) cpSync(join(root, file), join(destination, file));
  }
}

/**
 * As Docker does it: the last pattern that matches the file, or a directory that it is in, decides.
 * In Docker, `*` also matches names that begin with a dot.
 */
function isIgnored(file: string, patterns: readonly string[]): boolean {
  const segments = withoutDots(file).split("/");
  const within = segments.map((_, index) => segments.slice(0, index + 1).join("/"));
  const last = patterns.findLast((pattern) => {
    const glob = withoutDots(pattern.replace("!", ""));
    return within.some((path) => matchesGlob(path, glob));
  });
  return last !== undefined && !last.startsWith("!");
}

function withoutDots(path: string): string {
  return path.replaceAll(/(?<=^|\/)\./g, "dot-");
}
