import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { root } from "./checkout.ts";
import { isBuilt, testsShipped } from "./endurance.ts";
import type { OwnLimits } from "./patience.ts";

const source = join(root, "apps/server/src/");
const bundle = join(root, "apps/server/dist/petstore-server.mjs");

/** The module of `petstore-server` that tests import. */
export const serverModule = testsShipped ? bundle : `${source}main.ts`;

/**
 * Turbo, or the suite of the server, has just built the server from its source. The bundle starts
 * in half of the time.
 */
const isFreshlyBuilt =
  (isBuilt || process.env["PETSTORE_TEST_BUILT"] !== undefined) && existsSync(bundle);

/** The path of `petstore-server` as users run it. It rejects requests while the machine is busy. */
export const petstoreServer = isFreshlyBuilt ? bundle : serverModule;

/**
 * The arguments with which `process.execPath` runs the same program, with the limits that a test
 * names, and patience otherwise.
 */
export function serverWith(own: OwnLimits = {}): readonly string[] {
  return [join(import.meta.dirname, "patient-server.ts"), petstoreServer, JSON.stringify(own)];
}

/** Configuration for test suites: redirects imports of the server's source to the bundle. */
export const serverUnderTest = testsShipped
  ? { plugins: [fromBundle()], test: { server: { deps: { external: [bundle] } } } }
  : {};

function fromBundle() {
  return {
    name: "server-from-bundle",
    enforce: "pre" as const,
    // Only in suites with this plugin: others may run before the server is built.
    config() {
      if (!existsSync(bundle)) throw new Error(`${bundle} is missing: run pnpm build`);
    },
    resolveId(id: string, importer: string | undefined) {
      if (!importer?.includes("/test/") && !importer?.includes("/service/conformance/"))
        return undefined;
      if (id === "@petstore/service") return bundle;
      if (!id.startsWith(".")) return undefined;
      return resolve(dirname(importer), id).startsWith(source) ? bundle : undefined;
    },
  };
}
