import type { OxlintConfig } from "oxlint";

export type Override = NonNullable<OxlintConfig["overrides"]>[number];

/** Options of `no-restricted-imports`. */
export interface Restriction {
  paths?: (string | { name: string; message: string })[];
  patterns?: { group?: string[]; regex?: string; allowTypeImports?: boolean; message: string }[];
}

export function restrictImports(files: string[], ...restrictions: Restriction[]): Override {
  const paths = restrictions.flatMap((each) => each.paths ?? []);
  const patterns = restrictions.flatMap((each) => each.patterns ?? []);
  return { files, rules: { "no-restricted-imports": ["error", { paths, patterns }] } };
}

/**
 * The files and folders of a directory, from top to bottom. Each imports only what stands on a line
 * below its own, type imports and dynamic imports included.
 */
export function layers(
  directory: string,
  lines: string[],
  restrictionOf: (name: string) => Restriction,
): Override[] {
  const unlisted = {
    regex: String.raw`^\.`,
    message: `Add this file to its layer of ${directory} in oxlint.config.ts.`,
  };
  const overrides = lines.flatMap((line, index) =>
    line.split(" ").map((name) => {
      const above = lines.slice(0, index + 1).flatMap((each) => each.split(" "));
      const others = above.filter((each) => each !== name);
      const upwards = {
        regex: String.raw`^(?:\.\.?/)+(?:${others.join("|")})(?:\.tsx?$|/)`,
        message: `Imports point down: see the layers of ${directory} in oxlint.config.ts.`,
      };
      const patterns = others.length > 0 ? [upwards] : [];
      return restrictImports(
        [`${directory}/${name}.{ts,tsx}`, `${directory}/${name}/**`],
        { patterns },
        restrictionOf(name),
      );
    }),
  );
  return [
    restrictImports([`${directory}/**`], { patterns: [unlisted] }, restrictionOf("")),
    ...overrides,
  ];
}
