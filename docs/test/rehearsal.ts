import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { resolveTool } from "@petstore/test-kit/tools";
import { parse } from "yaml";
import { copyCheckout, environment, outputOf } from "./checkout-copy.ts";

const { jobs } = parse(read(".github/workflows/release.yml")) as {
  jobs: Record<string, { steps?: { run?: string }[] }>;
};

/** What only GitHub has: its program, which tags what it releases, and provenance. */
const programs = {
  gh: `case "$1 $2" in
    "pr list") echo 0 ;;
    "release view") test -f "$RELEASES/$(basename "$3").md" || exit 1 ;;
    "release create") cp notes.md "$RELEASES/$(basename "$3").md" && git -C "$ORIGIN" tag "$3" main ;;
  esac
  echo "$@" >>"$RELEASES/gh.log"`,
  npm: `export PATH="$PATH_OF_NPM"
  case "$1" in publish) exec npm "$@" --no-provenance ;; *) exec npm "$@" ;; esac`,
};

/**
 * A repository with this checkout, an empty registry, and the release workflow between them. The
 * steps of its jobs run as they are written.
 * @param directory an empty one, also the home of the programs
 */
export async function startRehearsal(directory: string) {
  const at = (name: string) => join(directory, name);
  for (const name of ["programs", "releases", "runner"]) mkdirSync(at(name));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(at(`programs/${name}`), `#!/bin/sh\n${script}\n`);
    chmodSync(at(`programs/${name}`), 0o755);
  }
  const registry = await startRegistry(directory);
  writeFileSync(
    at(".npmrc"),
    `registry=${registry.url}\n${registry.url.replace("http:", "")}:_authToken=anybody\n`,
  );
  const path = [
    join(root, "node_modules/.bin"),
    dirname(process.execPath),
    process.env["PATH"],
  ].join(delimiter);
  const store = await outputOf(["pnpm", "store", "path"], { cwd: root, env: process.env });
  const variables = {
    HOME: directory,
    pnpm_config_store_dir: store.trim(),
    npm_config_userconfig: at(".npmrc"),
    npm_config_registry: registry.url,
    GIT_AUTHOR_NAME: "test",
    GIT_AUTHOR_EMAIL: "test@petstore.example",
    GIT_COMMITTER_NAME: "test",
    GIT_COMMITTER_EMAIL: "test@petstore.example",
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_REPOSITORY: "owner/petstore",
    GITHUB_OUTPUT: at("output"),
    GITHUB_SHA: "main",
    RUNNER_TEMP: at("runner"),
    RELEASES: at("releases"),
    ORIGIN: at("origin.git"),
    PATH_OF_NPM: path,
    PATH: [at("programs"), path].join(delimiter),
  };

  const checkout = copyCheckout(variables);
  const git = (...args: string[]) => checkout.runIn(".", "git", ...args);
  await checkout.commit();
  await checkout.runIn(
    ".",
    "pnpm",
    "install",
    "--frozen-lockfile",
    "--ignore-scripts",
    "--offline",
  );
  await git("branch", "--move", "--force", "main");
  await git("clone", "--quiet", "--bare", ".", variables.ORIGIN);
  await git("remote", "add", "origin", variables.ORIGIN);

  /** Runs the commands of a job, as GitHub does. */
  async function runJob(name: string, cwd: string): Promise<void> {
    for (const { run = "" } of jobs[name]?.steps ?? []) {
      // The registry has nothing but releases. Packages are in pnpm's store, since this checkout
      // has them.
      const script = run.replaceAll(/npx pnpm@\S+( install)?/g, (_, install) =>
        install ? "pnpm install --offline" : "pnpm",
      );
      await outputOf(["bash", "-e", "-c", script], { cwd, env: { ...environment, ...variables } });
    }
  }

  /** What the workflow would do now. */
  async function plan(): Promise<string | undefined> {
    rmSync(variables.GITHUB_OUTPUT, { force: true });
    await runJob("plan", checkout.path);
    return /^mode=(\w+)$/m.exec(readFileSync(variables.GITHUB_OUTPUT, "utf8"))?.[1];
  }

  return {
    checkout,
    registry,
    plan,
    /** Each release on GitHub, with its files. */
    releases(): string[] {
      const calls = readFileSync(at("releases/gh.log"), "utf8");
      return [...calls.matchAll(/^release create (.*) --target main /gm)].map(
        ([, release = ""]) => release,
      );
    },
    /** The notes of a release, whose name is without the scope. */
    notesOf: (release: string) => readFileSync(at(`releases/${release}.md`), "utf8"),

    /** Commits all changes of the checkout, as a pull request that is merged. */
    async merge(message: string): Promise<void> {
      await git("add", "--all");
      await git("commit", "--quiet", "--message", message);
      await git("push", "--quiet", "origin", "main");
    },

    /** Proposes the next versions, and merges the proposal. */
    async version(): Promise<void> {
      await runJob("version", checkout.path);
      renameSync(join(checkout.path, "version.patch"), at("runner/version.patch"));
      await git("reset", "--quiet", "--hard");
      await git("clone", "--quiet", variables.ORIGIN, at("proposal"));
      await runJob("propose", at("proposal"));
      rmSync(at("proposal"), { recursive: true });
      await git("pull", "--quiet", "--ff-only", "origin", "changeset-release/main");
      await git("push", "--quiet", "origin", "main");
    },

    /**
     * Packs what the checkout has, and publishes and announces it: twice, as if the first run of
     * these jobs had failed.
     */
    async publish(): Promise<void> {
      const packages = join(checkout.path, "dist/packages");
      rmSync(packages, { recursive: true, force: true });
      await runJob("pack", checkout.path);
      for (const job of ["publish", "announce", "publish", "announce"]) await runJob(job, packages);
      await git("fetch", "--quiet", "--tags", "origin");
    },

    async [Symbol.asyncDispose]() {
      checkout[Symbol.dispose]();
      await registry[Symbol.asyncDispose]();
    },
  };
}

interface Verdaccio {
  runServer: (configuration: object) => Promise<Server>;
}

/** A registry for npm packages, empty at first, in which everybody may publish. */
async function startRegistry(directory: string) {
  const { runServer } = createRequire(import.meta.url)(resolveTool("verdaccio")) as Verdaccio;
  const everybody = { access: "$all", publish: "$all" };
  const server = await runServer({
    // of the configuration that this one replaces: names the directory of its files
    self_path: join(directory, "verdaccio.yaml"),
    storage: join(directory, "storage"),
    packages: { "**": everybody },
    web: { enable: false },
    log: { type: "stdout", format: "pretty", level: "error" },
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
