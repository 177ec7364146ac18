import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validate as Deployment } from "kubernetes-models/_schemas/IoK8sApiAppsV1Deployment";
import { validate as ConfigMap } from "kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap";
import { validate as Namespace } from "kubernetes-models/_schemas/IoK8sApiCoreV1Namespace";
import { validate as Secret } from "kubernetes-models/_schemas/IoK8sApiCoreV1Secret";
import { validate as Service } from "kubernetes-models/_schemas/IoK8sApiCoreV1Service";
import { validate as NetworkPolicy } from "kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy";
import { validate as PodDisruptionBudget } from "kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget";
import type { IDeployment } from "kubernetes-models/apps/v1";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig, type Config } from "../../src/config.ts";

const directory = join(import.meta.dirname, "../../../../deploy/kubernetes");
const validators = { ConfigMap, Deployment, Namespace, NetworkPolicy, PodDisruptionBudget, Secret, Service };
interface Manifest {
  kind: keyof typeof validators;
}

const files = readdirSync(directory).filter((name) => name !== "kustomization.yaml");

function read(file: string): unknown {
  return parse(readFileSync(join(directory, file), "utf8"), { merge: true });
}

const { spec: deployment } = read("deployment.yaml") as IDeployment;
const settings = (read("configuration.yaml") as { data: Record<string, string> }).data;
const secrets = (read("secret.example.yaml") as { stringData: Record<string, string> }).stringData;
const pod = deployment?.template.spec;
const containers = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];

/** The files that the server reads in a container. */
function configOf({ env = [] }: (typeof containers)[number]): Config {
  const given = env.map(({ name, valueFrom }) => [name, secrets[valueFrom?.secretKeyRef?.key ?? ""] ?? ""]);
  return readConfig({ ...settings, ...Object.fromEntries(given) }, false);
}

const [migrating, config] = containers.map(configOf) as [Config, Config];

test("the manifests have only fields that Kubernetes knows", () => {
  const found = files.map((file) => [file, problemsOf(read(file) as Manifest)]);
  expect(found.filter(([, problems]) => problems?.length)).toEqual([]);
});

test("kustomization.yaml names every manifest but the form of the secret", () => {
  const { resources } = read("kustomization.yaml") as { resources: string[] };
  expect(resources.toSorted()).toEqual(files.filter((name) => name !== "secret.example.yaml").toSorted());
});

test("one role migrates and another serves, over TLS that checks the certificate", () => {
  const urls = [migrating, config].map(({ databaseUrl }) => new URL(databaseUrl));
  expect(urls.map(({ username }) => username)).toEqual(["petstore_owner", "petstore"]);
  expect(urls.map(({ searchParams }) => searchParams.get("sslmode"))).toEqual(["verify-full", "verify-full"]);
});

test("connections go out only to named destinations", () => {
  const { spec } = read("network-policy.yaml") as { spec: { egress: { to?: unknown[] }[] } };
  expect(spec.egress.filter(({ to = [] }) => to.length === 0)).toEqual([]);
});

test("the settings are valid, and a pod has five seconds longer to stop than the server", () => {
  expect(config).toMatchObject({ host: "0.0.0.0", admin: { host: "0.0.0.0" }, drainMs: 10_000 });
  const graceMs = (pod?.terminationGracePeriodSeconds ?? 0) * 1000;
  expect(graceMs).toBeGreaterThanOrEqual(config.drainMs + config.shutdownGraceMs + 5_000);
});

test("ports, probes, service and policy name the ports that the server opens", () => {
  const [container] = pod?.containers ?? [];
  const named = Object.fromEntries(container?.ports?.map((port) => [port.name, port.containerPort]) ?? []);
  expect(named).toEqual({ http: config.port, admin: config.admin?.port });
  const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe];
  expect(probes.map((probe) => `${probe?.httpGet?.port}${probe?.httpGet?.path}`)).toEqual([
    "admin/startupz",
    "admin/livez",
    "admin/readyz",
  ]);
  const { spec: service } = read("service.yaml") as { spec: { ports: { targetPort: string }[]; selector: object } };
  expect(service.ports.map(({ targetPort }) => targetPort)).toEqual(["http"]);
  expect(deployment?.template.metadata?.labels).toEqual(service.selector);
  expect(deployment?.selector.matchLabels).toEqual(service.selector);
  for (const file of ["disruption-budget.yaml", "network-policy.yaml"]) {
    expect(readFileSync(join(directory, file), "utf8")).toContain("app.kubernetes.io/name: petstore-server");
  }
});

test("every container follows the restricted profile, and a rollout never has fewer pods", () => {
  expect(containers.map(({ args }) => args)).toEqual([["migrate"], ["serve"]]);
  for (const { securityContext } of containers) {
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  }
  expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
  expect(deployment?.strategy?.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
});

/** What is wrong with a manifest, and its unknown fields. */
function problemsOf(manifest: Manifest): unknown[] {
  const validate: ((data: unknown) => boolean) & { errors?: unknown[] | null } = validators[manifest.kind];
  const looked = new Set<string>();
  validate(watched(manifest, looked));
  return [...(validate.errors ?? []), ...paths(manifest).filter((path) => !looked.has(path))];
}

/** Records every field that a validator reads. Validators ignore unknown fields, so a field that is never read is misspelt. */
function watched(value: unknown, looked: Set<string>, path = ""): unknown {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      if (typeof key === "symbol") return Reflect.get(target, key) as unknown;
      looked.add(`${path}.${key}`);
      return watched(Reflect.get(target, key), looked, `${path}.${key}`);
    },
  });
}

function paths(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [`${path}.${key}`, ...paths(child, `${path}.${key}`)]);
}
