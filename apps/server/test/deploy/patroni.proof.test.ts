import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { read, root } from "@petstore/test-kit/checkout";
import { occupyPort, onFreePort } from "@petstore/test-kit/free-port";
import { installed } from "@petstore/test-kit/programs";
import { giveToPostgres, installedPostgres, postgresUser } from "@petstore/test-postgres/postgres-programs";
import { stopPostgres } from "@petstore/test-postgres/postgres-server";
import { expectExit, start, temporaryDirectory, type Ended, type Running } from "@petstore/test-servers/processes";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { limits } from "../../src/limits.ts";
import { runSql } from "../support/postgres-database.ts";
import { animal, countStatuses, startServiceOn, startTraffic } from "../support/service-on-postgres.ts";
import { migrate } from "../support/stores.ts";

const shipped = read("deploy/patroni.yml");
const [switchover = ""] = /^patronictl .*$/m.exec(read("docs/deployment.md")) ?? [];

const isTestable = (["patroni", "etcd"] as const).every((program) => installed(program).length > 0);

const names = ["db1", "db2"] as const;
type Name = (typeof names)[number];
type Ports = Readonly<Record<Name, readonly [postgres: number, api: number]>>;

/** Patroni acts every few seconds, so a state may take longer than in other tests. The limit is that of the test: its `signal`. */
async function until(signal: AbortSignal, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(50, undefined, { signal });
}

/** The two machines, on this one. */
class Cluster implements AsyncDisposable {
  readonly hosts: Record<Name, string>;
  readonly #directory: string;
  readonly #signal: AbortSignal;
  readonly #nodes = new Map<Name, Running>();
  #endedEarly: Ended | undefined;

  constructor(directory: string, binaries: string, etcd: string, ports: Ports, signal: AbortSignal) {
    this.#directory = directory;
    this.#signal = signal;
    this.hosts = { db1: `127.0.0.1:${ports.db1[0]}`, db2: `127.0.0.1:${ports.db2[0]}` };
    for (const name of names) {
      const here = shipped
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

  start(name: Name): Running {
    const node = this.#run("patroni", [this.#file(name)], postgresUser);
    this.#nodes.set(name, node);
    void this.#watch(name, node);
    return node;
  }

  async #watch(name: Name, node: Running): Promise<void> {
    const ended = await node.ended;
    if (this.#nodes.get(name) === node) this.#endedEarly = ended;
  }

  #run(program: string, args: readonly string[], user?: typeof postgresUser): Running {
    const environment = { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8" };
    return start(program, args, { directory: this.#directory, environment, user });
  }

  /** As if the power of a machine fails. */
  async crash(name: Name): Promise<void> {
    const node = this.#nodes.get(name);
    this.#nodes.delete(name);
    node?.kill("SIGKILL");
    // PostgreSQL outlives it.
    const id = readFileSync(join(this.#data(name), "postmaster.pid"), "utf8");
    process.kill(Number.parseInt(id, 10), "SIGKILL");
    await node?.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const nodes = [...this.#nodes.values()];
    this.#nodes.clear();
    for (const node of nodes) node.kill("SIGKILL"); // Patroni would start PostgreSQL again
    await Promise.all(names.map(async (name) => stopPostgres(this.#data(name), "immediate")));
    await Promise.all(nodes.map(({ ended }) => ended));
  }

  /** @throws {Error} if Patroni ends before, such as when it cannot have its port */
  async untilMembersAre(...expected: readonly string[]): Promise<void> {
    const command = ["-c", this.#file("db1"), "list", "--format=json"];
    await until(this.#signal, async () => {
      if (this.#endedEarly !== undefined) throw new Error(`Patroni ended: ${this.#endedEarly.stderr}`);
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

/** A free port and three others. */
async function freePorts(port: number): Promise<Ports> {
  const occupied = await Promise.all(Array.from({ length: 3 }, () => occupyPort()));
  await Promise.all(occupied.map(({ close }) => close()));
  const [a = 0, b = 0, c = 0] = occupied.map((other) => other.port);
  return { db1: [port, a], db2: [b, c] };
}

/** Starts both machines. Another program may take a port before: then it starts again, with other ports. */
async function startCluster(directory: string, binaries: string, signal: AbortSignal): Promise<Cluster> {
  return await onFreePort(async (port) => {
    const own = join(directory, String(port));
    mkdirSync(own);
    giveToPostgres(own);
    const cluster = new Cluster(own, binaries, await startEtcd(own), await freePorts(port), signal);
    onTestFinished(() => cluster[Symbol.asyncDispose]()); // also after a timeout
    try {
      cluster.start("db1");
      await cluster.untilMembersAre("db1 Leader");
      const standby = cluster.start("db2");
      const end = (): void => standby.kill("SIGKILL"); // it would try the port forever
      standby.printed(/could not bind/, "stderr").then(end, () => {});
      await cluster.untilMembersAre("db1 Leader", "db2 Sync Standby");
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  });
}

const passwords = { OWNER_PASSWORD: "owner", SERVER_PASSWORD: "server" };

describe.each(isTestable ? installedPostgres() : [])("with Patroni and the PostgreSQL of %s", (binaries) => {
  test("no acknowledged animal is lost in two switchovers and a crash of the primary", async ({ signal }) => {
    using directory = temporaryDirectory();
    giveToPostgres(directory.path);
    await using cluster = await startCluster(directory.path, binaries, signal);
    const superuser = `postgres://postgres:PASSWORD@${cluster.hosts.db1}/postgres`;
    const psql = ["--no-psqlrc", "--set=ON_ERROR_STOP=1", "--file=deploy/postgres-roles.sql", superuser];
    await expectExit(0, start(join(binaries, "psql"), psql, { directory: root, environment: passwords }).ended);
    const both = `${cluster.hosts.db1},${cluster.hosts.db2}/petstore`;
    await migrate(`postgres://petstore_owner:owner@${both}`);
    await using server = await startServiceOn(`postgres://petstore:server@${both}`, 4, limits);
    const writes = startTraffic(server, 4, () => ["/pets", { body: animal }]);
    async function untilMoreAreStored(): Promise<void> {
      const before = writes.responses.length;
      await until(signal, () => (countStatuses(writes.responses.slice(before))[201] ?? 0) > 200);
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
    await cluster.untilMembersAre("db1 Sync Standby", "db2 Leader");
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
    expect(Object.keys(countStatuses(writes.responses))).toEqual(["201", "503"]);
  });
});
