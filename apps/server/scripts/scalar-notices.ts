/**
 * Writes `scalar-notices.txt`: the licence notices of the packages bundled in the reference page's
 * program, which has none itself. Run it when the version of that program changes. It downloads
 * each bundled package from the registry to read its licence.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { permissive, toNotice, type Part } from "../../../scripts/third-party.ts";
import packageJson from "../package.json" with { type: "json" };
import { packagesInside } from "./scalar-packages.ts";

const run = promisify(execFile);
const mit = readFileSync(new URL("../../../LICENSE", import.meta.url), "utf8");

const scalar: Part = {
  name: "@scalar/api-reference",
  version: packageJson.dependencies["@scalar/api-reference"],
  license: "MIT",
  licenseText: mitOf("2023-present Scalar"),
};

/** The text of a licence that a package names but does not include. */
function mitOf(holder: string): string {
  return mit.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}

async function readPart(id: string, directory: string): Promise<Part> {
  const { stdout } = await run("npm", ["pack", id, "--silent", "--pack-destination", directory]);
  const place = join(directory, id.replace("/", "+"));
  mkdirSync(place);
  await run("tar", ["xzf", join(directory, stdout.trim()), "-C", place, "--strip-components=1"]);
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(place, "package.json"), "utf8"),
  ) as {
    name: string;
    version: string;
    license: string;
    author?: string | { name: string };
  };
  if (!permissive.has(license)) throw new Error(`${id} has the licence ${license}`);
  const file = readdirSync(place).find((each) => /^(?:licen[cs]e|copying)/i.test(each));
  if (file !== undefined)
    return { name, version, license, licenseText: readFileSync(join(place, file), "utf8").trim() };
  const holder = typeof author === "string" ? author : (author?.name ?? `the authors of ${name}`);
  return { name, version, license, licenseText: license === "MIT" ? mitOf(holder).trim() : "" };
}

const directory = mkdtempSync(join(tmpdir(), "petstore-notices-"));
try {
  const parts: Part[] = [scalar];
  for (const id of packagesInside()) parts.push(await readPart(id, directory));
  writeFileSync(
    new URL("../scalar-notices.txt", import.meta.url),
    parts.map(toNotice).join("\n\n"),
  );
} finally {
  rmSync(directory, { recursive: true });
}
