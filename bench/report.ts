import type { Measured } from "./measure.ts";

/** A table in Markdown: a row for each server, a column for each request. */
export function toTable<Name extends string, Each>(
  title: string,
  measured: Measured<Name, Each>,
  describe: (rounds: readonly Each[]) => string,
): string {
  const [first = {}] = measured.values();
  const rows = [...measured].map(([server, each]) => [
    server,
    ...Object.values<readonly Each[]>({ ...each }).map(describe),
  ]);
  return toLines([title, ...Object.keys(first)], rows);
}

export function toLines(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** The median (min..max). */
export function spread(values: readonly number[], digits = 0): string {
  const [min, middle, max] = [Math.min(...values), median(values), Math.max(...values)];
  return `${middle.toFixed(digits)} (${min.toFixed(digits)}..${max.toFixed(digits)})`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const [low = NaN, high = NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/** The value below which this share of all values lies. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN;
}
