import { readFileSync } from "node:fs";
import { posix } from "node:path";

/**
 * What is released, and what the pages say about it. Its only source is the version of the client,
 * which a release changes.
 */

/**
 * The version of everything that ships: changesets gives the command line and the server that of
 * the client.
 */
export function readVersion(): string {
  const file = new URL("../packages/client/package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

export function isReleased(version: string): boolean {
  return version !== "0.0.0";
}

/** The version where there is little room, such as in the header of the site. */
export function versionLabel(version: string): string {
  return isReleased(version) ? version : "not released";
}

/** The packages on npm, and the part of a page that builds them. */
const packages: Readonly<Record<string, { name: string; guide: string }>> = {
  client: { name: "@petstore/client", guide: "README.md#the-client" },
  "command line": { name: "@petstore/cli", guide: "apps/cli/README.md#from-a-checkout" },
};

/**
 * The sentence of a page.
 * @param subject a package, or `everything`
 */
function stateOf(subject: string, page: string, version: string): string {
  if (subject === "everything")
    return isReleased(version)
      ? `Version ${version} of the client and of the command line is on npm.`
      : "Nothing is released yet.";
  const found = packages[subject];
  if (found === undefined)
    throw new Error(
      `${page}: there is no package "${subject}", so write everything, client or command line`,
    );
  if (isReleased(version)) return `\`${found.name}\` ${version} is on npm.`;
  const [file = "", part] = found.guide.split("#");
  const path = file === page ? "" : posix.relative(posix.dirname(page), file);
  return `\`${found.name}\` is not released yet: [build it in a checkout](${path}#${part}). After the first release, it is on npm:`;
}

const marked = /(?<=<!-- release: ([a-z ]+) -->\n)[^]*?(?=<!-- \/release -->)/g;

/** A page, with what it says about the release between its marks. */
export function withReleaseState(page: string, text: string, version: string): string {
  return text.replaceAll(
    marked,
    (_, subject: string) => `\n${stateOf(subject, page, version)}\n\n`,
  );
}

/** A file, with the version of the image of the server. */
export function withImageVersion(text: string, version: string): string {
  const versions =
    /(?<=petstore-server:|\bPETSTORE_VERSION:-|^ARG VERSION=)\d+\.\d+\.\d+(?:-[\w.]+)?/gm;
  return text.replaceAll(versions, version);
}
