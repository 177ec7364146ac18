import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Whether tests take what ships, and not its source. CI sets it. */
export const testsShipped = process.env["PETSTORE_TEST_SHIPPED"] === "1";

const source = fileURLToPath(new URL("../../apps/server/src/", import.meta.url));
const bundle = fileURLToPath(new URL("../../apps/server/dist/petstore-server.mjs", import.meta.url));

/** The program that tests start: `petstore-server`, to run with `process.execPath`. */
export const petstoreServer = testsShipped ? bundle : `${source}main.ts`;

/** For the configuration of a test suite: what it imports from the source of the server comes from the bundle instead. */
export const serverUnderTest = testsShipped
  ? { plugins: [fromBundle()], test: { server: { deps: { external: [bundle] } } } }
  : {};

function fromBundle() {
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing: run pnpm build`);
  return {
    name: "server-from-bundle",
    enforce: "pre" as const,
    resolveId(id: string, importer: string | undefined) {
      if (!importer?.includes("/test/") || !id.startsWith(".")) return undefined;
      return resolve(dirname(importer), id).startsWith(source) ? bundle : undefined;
    },
  };
}
