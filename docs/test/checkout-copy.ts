import { execFile } from "node:child_process";
import { cpSync, globSync, mkdirSync, symlinkSync } from "node:fs";
import { devNull } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { root } from "@petstore/test-kit/checkout";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { afterAll, beforeAll, beforeEach } from "vitest";

/**
 * The environment without Git's variables. In a hook they name another repository, which the
 * commands here would change. Also without the user's Git settings, which may sign commits or
 * change the format of a patch, and without those of this run: a build would not have the change.
 */
export const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:GIT_|TURBO_|PETSTORE_TEST_(?:SHIPPED|PROOF))/.test(name),
    ),
  ),
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_SYSTEM: devNull,
};

/** Runs a program. Returns what it prints. @throws {Error} with its output, if it fails */
export async function outputOf(
  [program = "", ...args]: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { ...options, timeout: 900_000 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")} in ${options.cwd}:\n${stdout}${stderr}`, {
      cause: error,
    });
  }
}

/**
 * A directory for a copy of the checkout, to try a change in.
 * @param variables of the programs that run in it
 * @param name of the directory. By default, it has what breaks a careless program. Browsers add (1)
 * to a second download
 */
export function copyCheckout(
  variables: Readonly<Record<string, string>> = {},
  name = "an ünusual copy (1)",
) {
  const directory = temporaryDirectory();
  const copy = {
    path: join(directory.path, name),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
  mkdirSync(copy.path);

  /** Runs a program in a workspace of the copy. @throws {Error} with its output, if it fails */
  async function runIn(
    workspace: string,
    program: string,
    ...args: readonly string[]
  ): Promise<string> {
    const env = { ...environment, ...variables };
    return await outputOf([program, ...args], { cwd: join(copy.path, workspace), env });
  }

  /** Runs tests of the copy, and returns how many passed. @throws if one fails */
  async function countPassed(workspace: string, ...files: readonly string[]): Promise<number> {
    const output = await runIn(
      workspace,
      "node_modules/.bin/vitest",
      "run",
      "--no-color",
      ...files,
    );
    return Number(/^ +Tests +(\d+) passed/m.exec(output)?.[1] ?? 0);
  }

  return {
    ...copy,
    runIn,
    countPassed,

    /**
     * Copies the checkout as a clone would, with uncommitted changes. The checkout may be a
     * repository or an unpacked archive.
     */
    async commit(): Promise<void> {
      const author = ["-c", "user.name=test", "-c", "user.email=test@petstore.example"];
      await runIn(".", "git", "init", "--quiet");
      await runIn(".", "git", "--git-dir=.git", `--work-tree=${root}`, "add", "--all");
      await runIn(".", "git", ...author, "commit", "--quiet", "--message", "Copy");
      await runIn(".", "git", "reset", "--quiet", "--hard");
    },

    /**
     * Gives the copy the packages of the checkout. Links between workspaces are relative, so they
     * lead into the copy.
     */
    linkPackages(): void {
      symlinkSync(join(root, "node_modules"), join(copy.path, "node_modules"));
      for (const installed of globSync("*{,/*}/node_modules", {
        cwd: root,
        exclude: ["node_modules"],
      })) {
        cpSync(join(root, installed), join(copy.path, installed), {
          recursive: true,
          verbatimSymlinks: true,
          // files of other runs, which come and go
          filter: (path) => !/^\.(?:vite|cache)/.test(basename(path)),
        });
      }
    },
  };
}

/** A copy of the checkout for the tests of a file, in which each begins without changes. */
export function patchedCopy(name?: string) {
  const copy = copyCheckout({}, name);
  afterAll(() => copy[Symbol.dispose]());

  beforeAll(async () => {
    await copy.commit();
    copy.linkPackages();
  });

  beforeEach(() => copy.runIn(".", "git", "reset", "--quiet", "--hard"));

  return {
    ...copy,

    /**
     * Applies a patch, or its changes of some files. The last section of a guide renews its patch.
     */
    apply: (patch: string, ...options: readonly string[]) =>
      copy.runIn(".", "git", "apply", "--3way", ...options, patch),

    /**
     * The files with errors. The server, the command line and the board compile the sources of the
     * packages too.
     */
    brokenFiles: async (...workspaces: readonly string[]): Promise<string[]> => {
      const found = workspaces.map(async (workspace) => {
        // its sources know no Node
        const project = workspace === "packages/client" ? ["--project", "test"] : [];
        const compiled = copy.runIn(workspace, "node_modules/.bin/tsc", ...project);
        const printed = await compiled.catch((error: Error) => error.message);
        return [...printed.matchAll(/^((?:\.\.\/)*)(\S+)\(\d+,\d+\): error/gm)].map(
          ([, up = "", file = ""]) =>
            up === "" ? `${workspace}/${file}` : file.replace(/^(?!apps|packages)/, "packages/"),
        );
      });
      return [...new Set((await Promise.all(found)).flat())].toSorted();
    },
  };
}
