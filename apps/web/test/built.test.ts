import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const assets = join(import.meta.dirname, "../built/assets");

test.for([
  ["index-*.js", 50_000],
  ["add-several-*.js", 24_000], // loaded when the list is there
  ["workbook-*.js", 40_000], // loaded for an Excel file
  ["guess-*.js", 5_000], // loaded for a file that is not UTF-8
  ["legacy-*.js", 1_000], // a browser decodes by itself
  ["*.css", 15_000],
] as const)("%s files have at most %i bytes, compressed with gzip -9", ([pattern, most]) => {
  const files = globSync(pattern, { cwd: assets });
  expect(files).not.toEqual([]);
  const sizes = files.map(
    (file) => gzipSync(readFileSync(join(assets, file)), { level: 9 }).length,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(most);
});
