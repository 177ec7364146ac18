import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { isProof } from "./endurance.ts";
import programs from "./programs.json" with { type: "json" };

/**
 * A system program that tests use where it is installed. `.ci/system-programs` installs the Debian
 * packages of the list. The `libraries` are packages of libraries for it.
 */
type Program = keyof typeof programs;

/** Debian has some in a directory that is in the PATH only of root, or in none. */
const directories = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/libexec"];

/**
 * The path of a program in a list, for `test.for` and `describe.each`. If it or one of its
 * libraries is missing, the list is empty, and a line says what is not tested.
 */
export function installed(name: Program): string[] {
  const libraries = librariesOf(name);
  // Only Debian's own program has the libraries of Debian's packages.
  const places = libraries.length > 0 ? ["/usr/bin"] : directories;
  const file = places.map((directory) => join(directory, name)).find(isExecutable);
  if (file !== undefined && libraries.every(isInstalled)) return [file];
  reportMissing(name);
  return [];
}

/**
 * The same, if Debian's package is of this version, such as 2.6: other versions may do other
 * things.
 */
export function installedIn(version: string, name: Program): string[] {
  return installed(name).filter(() => {
    const { package: debian, tests } = programs[name];
    const query = ["--show", "--showformat", "${Version}", debian];
    const found = spawnSync("dpkg-query", query, { encoding: "utf8" }).stdout;
    if (found.startsWith(`${version}.`) || found.startsWith(`${version}-`)) return true;
    process.stderr.write(
      `NOT tested: ${tests}, which is about ${debian} ${version}. This machine has ${found || "none"}.\n`,
    );
    return false;
  });
}

function librariesOf(name: Program): readonly string[] {
  const program = programs[name];
  return "libraries" in program ? program.libraries : [];
}

function isInstalled(debian: string): boolean {
  const query = ["--show", "--showformat", "${db:Status-Status}", debian];
  return spawnSync("dpkg-query", query, { encoding: "utf8" }).stdout === "installed";
}

const reported = new Set<Program>();

/**
 * @throws {Error} in CI, where nothing may be left out but what Ubuntu has no package of, or what
 * only the proof installs
 */
export function reportMissing(name: Program): void {
  const { package: debian, tests } = programs[name];
  const packages = [debian, ...librariesOf(name)].join(" ");
  const isExpected =
    !("onlyInDebian" in programs[name]) && (isProof || !("onlyInProof" in programs[name]));
  const message = `NOT tested without ${name}: ${tests}. Install ${packages}.`;
  if (process.env["PETSTORE_TEST_EVERY_PROGRAM"] === "1" && isExpected) throw new Error(message);
  if (!reported.has(name)) process.stderr.write(`${message}\n`);
  reported.add(name);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
