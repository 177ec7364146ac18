import { read } from "@petstore/test-kit/checkout";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { copyCheckout } from "./checkout-copy.ts";

/** The files that a guide says to change. */
export function filesIn(page: string): string[] {
  return [...read(page).matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file);
}

/** A copy of the checkout for the tests of a file, in which each begins without changes. */
export function patchedCopy() {
  const copy = copyCheckout();
  afterAll(() => copy[Symbol.dispose]());

  beforeAll(async () => {
    await copy.commit();
    copy.linkPackages();
  });

  beforeEach(() => copy.runIn(".", "git", "reset", "--quiet", "--hard"));

  return {
    ...copy,

    /** Applies a patch, or its changes of some files. The last section of a guide renews its patch. */
    apply: (patch: string, ...options: readonly string[]) =>
      copy.runIn(".", "git", "apply", "--3way", ...options, patch),

    /** The files with errors. The server, the command line and the board compile the sources of the packages too. */
    brokenFiles: async (...workspaces: readonly string[]): Promise<string[]> => {
      const found = workspaces.map(async (workspace) => {
        const project = workspace === "packages/client" ? ["--project", "test"] : []; // its sources know no Node
        const compiled = copy.runIn(workspace, "node_modules/.bin/tsc", ...project);
        const printed = await compiled.catch((error: Error) => error.message);
        return [...printed.matchAll(/^((?:\.\.\/)*)(\S+)\(\d+,\d+\): error/gm)].map(([, up = "", file = ""]) =>
          up === "" ? `${workspace}/${file}` : file.replace(/^(?!apps|packages)/, "packages/"),
        );
      });
      return [...new Set((await Promise.all(found)).flat())].toSorted();
    },
  };
}
