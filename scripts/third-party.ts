import type { Plugin } from "rolldown";
import { licensePlugin } from "rolldown-license-plugin";
import sbom from "rollup-plugin-sbom";

/** A package that is bundled in a program. */
export interface Part {
  name: string;
  version: string;
  license: string;
  licenseText: string;
}

/** Licences that require only their notice. */
export const permissive: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
]);

export function toNotice({ name, version, license, licenseText }: Part): string {
  return `${name} ${version} (${license})\n\n${licenseText || "The package does not include the text of its licence."}\n`;
}

/**
 * Writes the file THIRD-PARTY-NOTICES with the licences of all bundled packages. A licence that is
 * not permissive fails the build.
 * @param otherNotices notices of parts that the bundler does not know
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

/**
 * Writes the file sbom.cdx.json with all bundled packages, for programs that look for known
 * vulnerabilities (CycloneDX). The same source gives the same file.
 */
export function billOfMaterials(rootComponentType: "application" | "library") {
  // Its warnings are about bundlers that are not there, whose versions it would name.
  const quiet: Plugin = {
    name: "quiet-bill-of-materials",
    onLog: (_level, { plugin }) => plugin !== "rollup-plugin-sbom",
  };
  return [
    quiet,
    sbom({
      rootComponentType,
      outDir: ".",
      outFilename: "sbom.cdx",
      includeWellKnown: false,
      saveTimestamp: false,
    }),
  ];
}
