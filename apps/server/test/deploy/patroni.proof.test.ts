import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { read, root } from "@petstore/test-kit/checkout";
import { occupyPort, onFreePort } from "@petstore/test-kit/free-port";
import { expectExit, start, temporaryDirectory, type Running } from "@petstore/test-kit/processes";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { migrate } from "../../src/store/postgres/schema.ts";
import { runSql } from "../support/postgres-database.ts";
import { animal, countStatuses, startServiceOn, startTraffic } from "../support/service-on-postgres.ts";
import { asPostgres, giveToPostgres, installedPrograms } from "../support/system-postgres.ts";

const page = read("docs/deployment.md");
const [, documented = ""] = /^```yaml\n(scope: petstore\n[^]*?)^```$/m.exec(page) ?? [];
const [switchover = ""] = /^patronictl .*$/m.exec(page) ?? [];

const directories = (process.env["PATH"] ?? "").split(delimiter);
const isInstalled = ["patroni", "patronictl", "etcd"].every((program) =>
  directories.some((directory) => existsSync(join(directory, program))),
);
const installed = isInstalled ? installedPrograms.slice(0, 1) : [];

test("the page has settings of Patroni that acknowledge a write when the standby has it", () => {
  if (installed.length === 0)
    process.stderr.write("Patroni is NOT tested: install it, etcd and PostgreSQL for that.\n");
  expect(documented).toContain("synchronous_mode: true");
});

type Name = "db1" | "db2";
type Ports = Readonly<Record<Name, readonly [postgres: number, api: number]>>;

/** Patroni acts every few seconds, so a state may take longer than in other tests. The limit is that of the test. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(50);
}

/** Two machines of the page, on this one. */
class Cluster implements AsyncDisposable {
  readonly hosts: Record<Name, string>;
  readonly #directory: string;
  readonly #nodes = new Map<Name, Running>();

  constructor(directory: string, binaries: string, etcd: string, ports: Ports) {
    this.#directory = directory;
    this.hosts = { db1: `127.0.0.1:${ports.db1[0]}`, db2: `127.0.0.1:${ports.db2[0]}` };
    for (const name of ["db1", "db2"] as const) {
      const here = documented
        .replace("name: db1", `name: ${name}`)
        .replaceAll("10.0.0.5:5432", this.hosts[name])
        .replaceAll("10.0.0.5:8008", `127.0.0.1:${ports[name][1]}`)
        .replace("10.0.0.7:2379", etcd)
        .replaceAll("10.0.0.0/24", "127.0.0.0/8")
        .replace("/var/lib/postgresql/petstore", this.#data(name))
        .replace(/\/usr\/lib\/postgresql\/\d+\/bin/, binaries);
      const settings = parse(here) as { postgresql: object };
      // The defaults are directories of the system.
      const local = { pgpass: `${this.#data(name)}.pgpass`, parameters: { unix_socket_directories: "" } };
      writeFileSync(
        this.#file(name),
        JSON.stringify({ ...settings, postgresql: { ...settings.postgresql, ...local } }),
      );
    }
  }

  #file(name: Name): string {
    return join(this.#directory, `${name}.yml`);
  }

  #data(name: Name): string {
    return join(this.#directory, name);
  }

  start(name: Name): void {
    const [program, args] = asPostgres("patroni", this.#file(name));
    this.#nodes.set(name, this.#run(program, args));
  }

  #run(program: string, args: readonly string[]): Running {
    const environment = { PATH: directories.join(delimiter), LC_ALL: "C.UTF-8" };
    return start(program, args, { directory: this.#directory, environment });
  }

  /** As if the power of a machine fails. */
  async crash(name: Name): Promise<void> {
    const node = this.#nodes.get(name);
    this.#nodes.delete(name);
    node?.kill("SIGKILL");
    // PostgreSQL outlives it.
    const file = join(this.#data(name), "postmaster.pid");
    if (existsSync(file)) process.kill(Number.parseInt(readFileSync(file, "utf8"), 10), "SIGKILL");
    await node?.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#nodes.keys()) await this.crash(name);
  }

  async untilMembersAre(...expected: readonly string[]): Promise<void> {
    const command = ["-c", this.#file("db1"), "list", "--format=json"];
    await until(async () => {
      const { stdout } = await expectExit(0, this.#run("patronictl", command).ended);
      const members = JSON.parse(stdout) as { Member: Name; Role: string }[];
      return isDeepStrictEqual(members.map(({ Member, Role }) => `${Member} ${Role}`).toSorted(), expected);
    });
  }

  /** The command of the page. */
  async switchover(leader: Name, candidate: Name): Promise<void> {
    const command = switchover
      .replace("FILE", this.#file("db1"))
      .replace("--leader db1", `--leader ${leader}`)
      .replace("--candidate db2", `--candidate ${candidate}`);
    await expectExit(0, this.#run("sh", ["-c", command]).ended, { stdout: /Successfully switched over/ });
  }
}

/** An etcd with one member. Returns its address. */
async function startEtcd(directory: string): Promise<string> {
  return await onFreePort(async (port) =>
    onFreePort(async (peerPort) => {
      const [address, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
      const flags = {
        "data-dir": join(directory, `etcd-${port}`),
        "listen-client-urls": address,
        "advertise-client-urls": address,
        "listen-peer-urls": peer,
        "initial-advertise-peer-urls": peer,
        "initial-cluster": `default=${peer}`,
      };
      const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
      await start("etcd", args, { directory }).printed(/ready to serve client requests/, "stderr");
      return `127.0.0.1:${port}`;
    }),
  );
}

/** Four different ones. */
async function freePorts(): Promise<Ports> {
  const occupied = await Promise.all(Array.from({ length: 4 }, () => occupyPort()));
  await Promise.all(occupied.map(({ close }) => close()));
  const [a = 0, b = 0, c = 0, d = 0] = occupied.map(({ port }) => port);
  return { db1: [a, b], db2: [c, d] };
}

const passwords = { OWNER_PASSWORD: "owner", SERVER_PASSWORD: "server" };

describe.each(installed)("with Patroni and the PostgreSQL of %s", (binaries) => {
  test("no acknowledged animal is lost in two switchovers and a crash of the primary", async ({ task }) => {
    using directory = temporaryDirectory();
    giveToPostgres(directory.path);
    await using cluster = new Cluster(directory.path, binaries, await startEtcd(directory.path), await freePorts());
    onTestFinished(() => cluster[Symbol.asyncDispose]()); // also after a timeout
    cluster.start("db1");
    await cluster.untilMembersAre("db1 Leader");
    cluster.start("db2");
    await cluster.untilMembersAre("db1 Leader", "db2 Sync Standby");

    const superuser = `postgres://postgres:PASSWORD@${cluster.hosts.db1}/postgres`;
    const psql = ["--no-psqlrc", "--set=ON_ERROR_STOP=1", "--file=deploy/postgres-roles.sql", superuser];
    await expectExit(0, start(join(binaries, "psql"), psql, { directory: root, environment: passwords }).ended);
    const both = `${cluster.hosts.db1},${cluster.hosts.db2}/petstore`;
    await migrate(`postgres://petstore_owner:owner@${both}`);
    await using server = await startServiceOn(`postgres://petstore:server@${both}`);
    const writes = startTraffic(server, 4, () => ["/pets", { body: animal }]);
    async function untilMoreAreStored(): Promise<void> {
      const before = writes.responses.length;
      await until(() => (countStatuses(writes.responses.slice(before))[201] ?? 0) > 200);
    }

    await untilMoreAreStored();
    await cluster.switchover("db1", "db2");
    await cluster.untilMembersAre("db1 Sync Standby", "db2 Leader");
    await untilMoreAreStored();
    await cluster.crash("db2");
    await cluster.untilMembersAre("db1 Leader");
    await untilMoreAreStored();
    cluster.start("db2");
    await cluster.untilMembersAre("db1 Leader", "db2 Sync Standby");
    await cluster.switchover("db1", "db2");
    await untilMoreAreStored();

    const acknowledged = (await writes.stop())
      .filter(({ status }) => status === 201)
      .map(({ body }) => (body as { id: number }).id);
    const rows = (await runSql(`postgres://petstore:server@${cluster.hosts.db2}/petstore`, "SELECT id FROM pets")) as {
      id: string;
    }[];
    const stored = new Set(rows.map(({ id }) => Number(id)));
    // The id of a lost animal is given to another one.
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    const { 201: created, ...others } = countStatuses(writes.responses);
    expect(Object.keys(others)).toEqual(["503"]);
    task.meta.figure = `2 switchovers, 1 crash: 0 of ${created} acknowledged animals lost, ${others[503]} got 503`;
  });
});
