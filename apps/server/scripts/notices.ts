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
