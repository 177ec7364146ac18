import type { Plugin } from "rolldown";
import { licensePlugin } from "rolldown-license-plugin";

/** A package that is part of what is built. */
export interface Part {
  name: string;
  version: string;
  license: string;
  licenseText: string;
}

/** Licences that ask for no more than their notice. */
export const permissive: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
]);

export function toNotice({ name, version, license, licenseText }: Part): string {
  return `${name} ${version} (${license})\n\n${licenseText || "The package comes without the text of its licence."}\n`;
}

/**
 * Writes a file beside a program with the licences of all packages that are bundled in it. A licence that is not permissive fails
 * the build.
 * @param otherNotices of parts that the bundler does not see
 */
export function thirdPartyNotices(otherNotices: readonly string[] = []): Plugin {
  return licensePlugin({
    allow: ({ license }) => permissive.has(license),
    failOnViolation: true,
    failOnUnlicensed: true,
    done: (parts, bundler) => {
      const source = [...parts.map(toNotice), ...otherNotices].join("\n\n");
      bundler.emitFile({ type: "asset", fileName: "THIRD-PARTY-NOTICES", source });
    },
  });
}
