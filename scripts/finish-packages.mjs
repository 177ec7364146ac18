/**
 * Checks that packed packages name their repository, without which npm rejects their provenance,
 * makes the links of their README absolute, because npm shows it elsewhere, and puts a copy of
 * their bill of materials beside each. Arguments: the files.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

for (const file of process.argv.slice(2)) {
  using unpacked = mkdtempDisposableSync(join(tmpdir(), "petstore-package-"));
  // Paths are relative: tar takes a colon for the end of a host name.
  const options = { cwd: dirname(resolve(file)) };
  execFileSync("tar", ["-xzf", basename(file), "-C", unpacked.path], options);
  const { name, repository, homepage, bugs } = JSON.parse(
    readFileSync(join(unpacked.path, "package/package.json"), "utf8"),
  );
  if (!repository || !homepage || !bugs) {
    process.stderr.write(
      `${file} does not name its repository: set GITHUB_SERVER_URL and GITHUB_REPOSITORY\n`,
    );
    process.exit(1);
  }
  const base = `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/HEAD/${repository.directory}/`;
  const readme = join(unpacked.path, "package/README.md");
  const text = readFileSync(readme, "utf8");
  writeFileSync(
    readme,
    text
      .replaceAll(/\]\((?![a-z]+:|#)([^)]+)\)/g, (_, target) => `](${new URL(target, base)})`)
      .replaceAll(
        / (src|srcset)="(?![a-z]+:)([^"]+)"/g,
        (_, attribute, target) => ` ${attribute}="${new URL(target, base)}?raw=true"`,
      ),
  );
  const bill = `${name.replace("@", "").replace("/", "-")}.cdx.json`;
  copyFileSync(join(unpacked.path, "package/dist/sbom.cdx.json"), join(dirname(file), bill));
  // Otherwise the file has the names of the user and the group.
  execFileSync(
    "tar",
    ["--numeric-owner", "-czf", basename(file), "-C", unpacked.path, "package"],
    options,
  );
}
