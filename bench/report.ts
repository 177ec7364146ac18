import type { Cost, Costs } from "./measure.ts";

/** A table in Markdown: a row for each server, a column for each request. */
export function toTable(title: string, costs: Costs, figure: (cost: Cost) => number): string {
  const [first = {}] = costs.values();
  const rows = [...costs].map(([server, each]) => [
    server,
    ...Object.values(each).map((rounds) => (rounds.length === 0 ? "–" : spread(rounds.map(figure)))),
  ]);
  return toLines([title, ...Object.keys(first)], rows);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function toLines(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** The median (min..max). */
function spread(values: readonly number[]): string {
  return `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)}..${Math.max(...values).toFixed(0)})`;
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
