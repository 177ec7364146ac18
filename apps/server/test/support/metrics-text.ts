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

/** Reads the text format, version 0.0.4. @throws {Error} for a line that it does not allow, or a sample that comes twice */
export function parseMetrics(text: string): MetricsText {
  const lines = text.split("\n").filter((line) => line !== "");
  const types = lines.flatMap((line) => [...line.matchAll(/^# TYPE (\S+) (counter|gauge|histogram|summary)$/g)]);
  const values = lines.filter((line) => !line.startsWith("#"));
  const samples = values.map(parseSample);
  if (new Set(values.map((line) => line.slice(0, line.lastIndexOf(" ")))).size < values.length)
    throw new Error(`A sample comes twice: ${text}`);
  return {
    types: new Map(types.map(([, name = "", type = ""]) => [name, type])),
    samples,
    value(name, labels = {}) {
      const wanted = Object.entries(labels);
      const found = samples.filter(
        (each) => each.name === name && wanted.every(([key, value]) => each.labels[key] === value),
      );
      return found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

const label = String.raw`([a-zA-Z_]\w*)=("(?:[^"\\\n]|\\[\\"n])*")`;
// Prometheus reads the words in any case; prom-client writes Nan.
const samplePattern = new RegExp(
  String.raw`^([a-zA-Z_:][\w:]*)(?:\{((?:${label},?)*)\})? (-?[\d.]+(?:e[+-]?\d+)?|[+-]Inf|Na[Nn])$`,
);

function parseSample(line: string): Sample {
  const found = samplePattern.exec(line);
  if (found === null) throw new Error(`Not a sample: ${line}`);
  const [, name = "", labels = ""] = found;
  const pairs = [...labels.matchAll(new RegExp(label, "g"))].map(([, key, value = ""]) => [key, JSON.parse(value)]);
  const number = Number(found.at(-1)?.replace("Inf", "Infinity"));
  return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: number };
}
