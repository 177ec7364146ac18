import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "@petstore/test-kit/eventually";
import { installed } from "@petstore/test-kit/programs";
import { expectExit, start, temporaryDirectory } from "@petstore/test-servers/processes";
import { parser } from "@prometheus-io/lezer-promql";
import { beforeAll, expect } from "vitest";
import { parse } from "yaml";
import { test } from "../support/petstore.ts";
import { createMigratedDatabase } from "../support/postgres-database.ts";
import { startServer } from "../support/start-server.ts";
import { openStore } from "../support/stores.ts";

const root = join(import.meta.dirname, "../../../..");
const runbook = readFileSync(join(root, "docs/operations.md"), "utf8");

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook_url: string };
}

const { groups } = parse(readFileSync(join(root, "deploy/prometheus/alerts.yaml"), "utf8")) as {
  groups: { rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

/** The metrics of Prometheus itself and of the node exporter. */
const elsewhere = {
  metrics: ["up", "node_filesystem_avail_bytes", "node_filesystem_size_bytes"],
  labels: ["job", "instance", "le", "mountpoint"],
};

const served = { metrics: new Set<string>(), labels: new Set<string>() };

/** The page of a server on PostgreSQL. */
let exposed = "";

beforeAll(async () => {
  await using database = await createMigratedDatabase();
  using directory = temporaryDirectory();
  const stores = [
    await openStore(database.url),
    await openStore(`sqlite:${directory.path}/petstore.db`),
  ];
  const all: { name: string }[] = [];
  for (const store of stores) {
    await using server = await startServer({ store });
    all.push(...server.metrics.registry.getMetricsAsArray());
    exposed ||= await server.metrics.registry.metrics();
  }
  for (const metric of all) {
    const {
      name,
      type,
      labelNames = [],
    } = metric as typeof metric & { type: string; labelNames?: string[] };
    for (const suffix of type === "histogram" ? ["_bucket", "_count", "_sum"] : [""]) {
      served.metrics.add(name + suffix);
    }
    for (const label of labelNames) served.labels.add(label);
  }
});

test.for(rules)(
  "$alert is valid PromQL on metrics of the server, and links to its part of the runbook",
  ({ alert, expr, annotations }) => {
    const { metrics, labels, errors } = inspect(expr);
    expect(errors).toEqual([]);
    expect(
      metrics.filter((name) => !served.metrics.has(name) && !elsewhere.metrics.includes(name)),
    ).toEqual([]);
    expect(
      labels.filter((name) => !served.labels.has(name) && !elsewhere.labels.includes(name)),
    ).toEqual([]);
    const shown = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(
      ([, name]) => name ?? "",
    );
    expect(shown.filter((name) => name !== "instance" && !labels.includes(name))).toEqual([]);
    expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(runbook).toContain(`\n### ${alert}\n`);
  },
);

const promtool = installed("promtool");

test.for(promtool)(
  "0 of %s for names and types of metrics, and for the rules",
  async (program, { petstore: { directory } }) => {
    expect(exposed).toContain('petstore_build_info{version="');
    const check = (...args: string[]) =>
      start(program, ["check", ...args], { directory, input: exposed }).ended;
    await expectExit(0, check("metrics"), { stdout: "", stderr: "" });
    await expectExit(0, check("rules", join(root, "deploy/prometheus/alerts.yaml")));
  },
);

function alertOf(name: string, labels: object, summary: string): object {
  const runbook_url = `docs/operations.md#${name.toLowerCase()}`;
  return {
    exp_labels: { ...labels, severity: "warning" },
    exp_annotations: { summary, runbook_url },
  };
}

test.for(promtool)(
  "0 of %s: one alert fires for an overloaded process, not for one whose database fails; another for a task that keeps failing, not for one failure",
  async (program, { petstore: { path, directory } }) => {
    const busy = { instance: "busy" };
    const shedding = alertOf(
      "PetstoreShedding",
      busy,
      "busy is overloaded: it rejects 1 requests a second",
    );
    const task = { instance: "a", task: "clear_expired" };
    const summary = "clear_expired of a keeps failing: 15 times in 15 minutes";
    const failing = alertOf("PetstoreBackgroundFailures", task, summary);
    const series = {
      'petstore_requests_shed_total{job="petstore", instance="busy"}': "0+60x20",
      'petstore_requests_shed_total{job="petstore", instance="cut off"}': "0+60x20",
      'petstore_store_errors_total{job="petstore", instance="cut off", reason="connection"}':
        "0+60x20",
      'petstore_background_failures_total{job="petstore", instance="a", task="clear_expired"}':
        "0+1x60",
      'petstore_background_failures_total{job="petstore", instance="a", task="read_keys"}':
        "0 0 1+0x60",
    };
    const rulesTest = {
      interval: "1m",
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [
        { eval_time: "15m", alertname: "PetstoreShedding", exp_alerts: [shedding] },
        ...Array.from({ length: 60 }, (_, minute) => {
          const alertname = "PetstoreBackgroundFailures";
          return { eval_time: `${minute}m`, alertname, exp_alerts: minute > 20 ? [failing] : [] };
        }),
      ],
    };
    const rule_files = [join(root, "deploy/prometheus/alerts.yaml")];
    writeFileSync(path("cases.yaml"), JSON.stringify({ rule_files, tests: [rulesTest] }));
    await expectExit(0, start(program, ["test", "rules", "cases.yaml"], { directory }).ended);
  },
);

test.for(installed("jq"))(
  "0 of %s in the command of the runbook that counts the callers of getPet",
  async (_, { petstore }) => {
    await using server = await startServer();
    for (const path of ["/pets/1", "/pets/2", "/pets"]) await server.call(path);
    await server.call("/pets/1", { apiKey: "forged" });
    await eventually(() => server.logs.filter(({ msg }) => msg === "request").length === 4);
    writeFileSync(
      petstore.path("LOG"),
      server.logs.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    const [, command = ""] = /### PetstoreDeprecatedCalls[^]*?`(jq [^`]+)`/.exec(runbook) ?? [];
    const { directory } = petstore;
    const environment = { PATH: process.env["PATH"] ?? "" };
    const { ended } = start("sh", ["-c", command], { directory, environment });
    await expectExit(0, ended, { stdout: /^ +2 key_\w{12}\n$/, stderr: "" });
  },
);

function inspect(expression: string): { metrics: string[]; labels: string[]; errors: number[] } {
  const metrics: string[] = [];
  const labels: string[] = [];
  const errors: number[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to, node }) {
      const text = expression.slice(from, to);
      if (type.isError) errors.push(from);
      else if (type.name === "Identifier" && node.parent?.name === "VectorSelector")
        metrics.push(text);
      else if (type.name === "LabelName") labels.push(text);
    },
  });
  return { metrics, labels, errors };
}
