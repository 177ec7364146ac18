/** The files of a package that npm packs, in the checkout. npm packs them as they are, so until it has ended they are those of a release. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** A copy of the manifest. npm never packs this directory. */
const original = "node_modules/.petstore-release/package.json";

/** Writes what pnpm would pack. */
export function writeRelease() {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const { access, provenance, ...published } = manifest.publishConfig;
  const { hooks } = createRequire(import.meta.url)(join(root, ".pnpmfile.cjs"));
  const release = { ...manifest, ...published, publishConfig: { access, provenance } };

  mkdirSync(dirname(original), { recursive: true });
  copyFileSync("package.json", original);
  copyFileSync(join(root, "LICENSE"), "LICENSE");
  writeFileSync("package.json", JSON.stringify(hooks.beforePacking(release, process.cwd()), undefined, 2));
}

export function restore() {
  if (!existsSync(original)) return;
  rmSync("LICENSE", { force: true });
  renameSync(original, "package.json");
}
