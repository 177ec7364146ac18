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

/**
 * Reads the text format, version 0.0.4.
 *
 * @throws {Error} for a line that it does not allow, a metric without a type or with two, in pieces, or a sample that comes twice
 */
export function parseMetrics(text: string): MetricsText {
  if (text !== "" && !text.endsWith("\n")) throw new Error("The last line does not end");
  const types = new Map<string, string>();
  const samples = new Map<string, Sample>();
  let current = "";
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, keyword, metric = "", rest = ""] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? [];
    if (keyword === "TYPE") {
      if (types.has(metric)) throw new Error(`${metric} has two types`);
      if (!/^(?:counter|gauge|histogram|summary|untyped)$/.test(rest)) throw new Error(`Not a type: ${line}`);
      types.set(metric, rest);
      current = metric;
    }
    if (keyword !== undefined) continue;
    const sample = parseSample(line);
    const family = types.get(current) === "histogram" ? sample.name.replace(/_(?:bucket|sum|count)$/, "") : sample.name;
    if (family !== current) throw new Error(`After the type of ${current} comes: ${line}`);
    const identity = line.slice(0, line.lastIndexOf(" "));
    if (samples.has(identity)) throw new Error(`Twice: ${identity}`);
    samples.set(identity, sample);
  }
  const all = [...samples.values()];
  return {
    types,
    samples: all,
    value(name, labels = {}) {
      const wanted = Object.entries(labels);
      const found = all.filter(
        (each) => each.name === name && wanted.every(([key, value]) => each.labels[key] === value),
      );
      return found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"`;
// Prometheus reads the words in any case; prom-client writes Nan.
const samplePattern = new RegExp(
  String.raw`^([a-zA-Z_:][\w:]*)(?:\{((?:${label},?)*)\})? (-?[\d.]+(?:e[+-]?\d+)?|[+-]Inf|Na[Nn])$`,
);

function parseSample(line: string): Sample {
  const [, name, labels = "", value = ""] = samplePattern.exec(line) ?? [];
  if (name === undefined) throw new Error(`Not a sample: ${line}`);
  const pairs = [...labels.matchAll(new RegExp(label, "g"))].map(([pair]) => {
    const split = pair.indexOf("=");
    return [pair.slice(0, split), JSON.parse(pair.slice(split + 1)) as string];
  });
  const number = Number(value.replace("Inf", "Infinity"));
  return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: number };
}
