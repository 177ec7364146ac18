import { mkdtempDisposableSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { reportStale } from "../../../scripts/generated.ts";

/** Fails if a build of the source writes other files than those in built/, byte for byte. */
const workspace = join(import.meta.dirname, "..");
const built = join(workspace, "built");
using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-board-"));
await build({
  root: workspace,
  logLevel: "warn",
  build: { outDir: directory.path, emptyOutDir: true },
});
if (!filesIn(built).equals(filesIn(directory.path))) reportStale(built);

/** All files of a directory, with their paths. */
function filesIn(path: string): Buffer {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return Buffer.concat(
    paths.flatMap((file) => [Buffer.from(file.slice(path.length)), readFileSync(file)]),
  );
}
