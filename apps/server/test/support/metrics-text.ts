/** A line of the text format of Prometheus that carries a number. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A page of metrics. */
export interface MetricsText {
  /** The type of each metric, by name. */
  types: Map<string, string>;
  samples: Sample[];
  /** The sum of the samples with this name and at least these labels. */
  value(name: string, labels?: Record<string, string>): number;
}

/** Reads the text format, version 0.0.4, whose syntax promtool checks with the alerts. */
export function parseMetrics(text: string): MetricsText {
  const types = Array.from(
    text.matchAll(/^# TYPE (\S+) (\S+)$/gm),
    ([, name = "", type = ""]) => [name, type] as const,
  );
  const samples = Array.from(
    text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm),
    ([, name = "", labels = "", value]) => {
      const pairs = Array.from(
        labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g),
        ([, key, content]) => [key, content],
      );
      return {
        name,
        labels: Object.fromEntries(pairs) as Record<string, string>,
        value: Number(value),
      };
    },
  );
  return {
    types: new Map(types),
    samples,
    value(name, wanted = {}) {
      const isWanted = ({ labels }: Sample) =>
        Object.entries(wanted).every(([key, value]) => labels[key] === value);
      return samples.reduce(
        (sum, each) => (each.name === name && isWanted(each) ? sum + each.value : sum),
        0,
      );
    },
  };
}
