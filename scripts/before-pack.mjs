/**
 * Runs before a public package is packed. Only pnpm packs what a release contains: npm would pack
 * the manifest of the checkout, whose exports lead to the source. Releases are published by
 * .github/workflows/release.yml, never by hand.
 */
import { existsSync } from "node:fs";

const isPnpm = process.env.npm_config_user_agent?.startsWith("pnpm/");
if (!isPnpm)
  fail(
    "npm cannot pack this package: run npx pnpm@12 pack. Releases are published by .github/workflows/release.yml.",
  );
if (!existsSync("dist")) fail("There is nothing to pack: run npx pnpm@12 build first.");

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
