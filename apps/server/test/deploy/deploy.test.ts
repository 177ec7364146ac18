import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expectExit, petstoreServer, serving, start } from "@petstore/test-servers/processes";
import { validate as dockerfileProblems } from "dockerfile-utils";
import { expect } from "vitest";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { readConfig, settingsSchema } from "../../src/config.ts";
import { test } from "../support/petstore.ts";

const rootPackage = JSON.parse(read("package.json")) as { packageManager: string };
const dockerfile = read("deploy/Dockerfile");
const unit = read("deploy/petstore.service");

interface ComposeService {
  image: string;
  command?: string[];
  environment: Record<string, string>;
  stop_grace_period?: string;
  volumes?: string[];
}

const { services } = parse(read("deploy/compose.yaml"), { merge: true }) as {
  services: Record<"server" | "migrate" | "postgres", ComposeService>;
};

/** The lines of a unit or of a file of settings. */
function assignments(text: string): [name: string, value: string][] {
  return [...text.matchAll(/^([A-Za-z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]);
}

/** The settings of the image. */
function imageSettings(): Record<string, string> {
  return Object.fromEntries(
    [...dockerfile.matchAll(/\b(PETSTORE_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
}

test("every setting that a file for deployment or its page names exists", () => {
  const files = globSync("deploy/**", { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  const named = [...files, read("docs/deployment.md")].flatMap(
    (text) => text.match(/\bPETSTORE_[A-Z_]*[A-Z]/g) ?? [],
  );
  expect(named).toContain("PETSTORE_SHUTDOWN_GRACE_MS");
  // One is for compose itself: the image to run. Two are of the command line.
  const known = [
    ...Object.keys(settingsSchema.shape),
    "PETSTORE_VERSION",
    "PETSTORE_BASE_URL",
    "PETSTORE_API_KEY",
  ];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test("the commands of the backup unit make a backup and keep the newest 14", async ({
  petstore,
}) => {
  await petstore.run("migrate");
  const commands = assignments(read("deploy/petstore-backup.service")).filter(([name]) =>
    /^ExecStart(?:Post)?$/.test(name),
  );
  mkdirSync(petstore.path("backups"));
  const names = Array.from({ length: 14 }, (_, day) => `2020-01-${10 + day}T000000Z.db`);
  for (const name of names) writeFileSync(petstore.path(`backups/${name}`), "");
  for (const [, value] of commands) {
    const [, script = ""] = /^\/bin\/sh -c '(.*)'$/.exec(value) ?? [];
    const here = script
      .replaceAll("%%", "%")
      .replaceAll("$$", "$")
      .replace(/--env-file=\S+ /, "")
      .replace("/opt/petstore/node", `"${process.execPath}"`)
      .replace("/opt/petstore/petstore-server.mjs", `"${petstoreServer}"`);
    execFileSync("/bin/sh", ["-c", here], { cwd: petstore.directory, env: petstore.environment });
  }
  const kept = readdirSync(petstore.path("backups"));
  expect(kept.slice(0, -1)).toEqual(names.slice(1));
  await expectExit(0, petstore.run(`restore --verify backups/${kept[13]}`));
});

test("the image is built with the versions of the checkout from pinned images, and its settings and ports are valid", () => {
  expect(dockerfileProblems(dockerfile)).toEqual([]);
  expect(dockerfile).toContain(`FROM node:${read(".node-version").trim()}-trixie-slim@`);
  expect(dockerfile).toContain(`npx --yes ${rootPackage.packageManager} install --frozen-lockfile`);
  expect(dockerfile).toContain(`ARG VERSION=${packageJson.version}\n`);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  for (const image of [...bases, services.postgres.image])
    expect(image).toMatch(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  const config = readConfig(imageSettings(), false);
  expect(config).toMatchObject({ host: "0.0.0.0", databaseUrl: "sqlite:/data/petstore.db" });
  expect(dockerfile).toContain(`EXPOSE ${config.port} ${config.admin?.port}\n`);
  expect(dockerfile).toContain(`fetch('http://127.0.0.1:${config.admin?.port}/livez')`);
});

test("the image copies standard input to its only folder that can be written, for an import", () => {
  const [, folder = ""] = /^VOLUME (\S+)$/m.exec(dockerfile) ?? [];
  expect(dockerfile).toMatch(new RegExp(`^ +TMPDIR=${folder} \\\\$`, "m"));
});

test("compose runs the server on valid settings, with longer to stop than it needs, and gives no container a privilege that it does not need, or a password", () => {
  const { stop_grace_period: grace = "", environment } = services.server;
  const given = { ...imageSettings(), ...environment };
  const url =
    given["PETSTORE_DATABASE_URL"]?.replace(/\$\{SERVER_PASSWORD:\?[^}]+\}/, "0123456789abcdef") ??
    "";
  const config = readConfig({ ...given, PETSTORE_DATABASE_URL: url }, false);
  expect(Number.parseInt(grace, 10) * 1000).toBeGreaterThanOrEqual(
    config.drainMs + config.shutdownGraceMs + 3_000,
  );

  for (const service of Object.values(services)) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    const passwords = Object.entries(service.environment).filter(([name]) =>
      name.endsWith("_PASSWORD"),
    );
    for (const [name, value] of passwords) expect(value).toMatch(new RegExp(`^\\$\\{${name}:\\?`));
  }
  const roles = [services.migrate, services.server].map(
    (each) => each.environment["PETSTORE_DATABASE_URL"],
  );
  expect(roles).toEqual([
    expect.stringContaining("//petstore_owner:${OWNER_PASSWORD:?") as string,
    expect.stringContaining("//petstore:${SERVER_PASSWORD:?") as string,
  ]);
  // The roles without superuser rights are created from the file that the tests of PostgreSQL use.
  expect(services.postgres.volumes).toContain(
    "./postgres-roles.sql:/docker-entrypoint-initdb.d/postgres-roles.sql:ro",
  );
});

test("the passwords of compose are created by the command of the page, readable only by its user", ({
  petstore,
}) => {
  const [, command = ""] = /^(\(umask .*)\ndocker compose/m.exec(read("docs/deployment.md")) ?? [];
  mkdirSync(petstore.path("deploy"));
  execFileSync("sh", ["-c", `umask 022; ${command}`], { cwd: petstore.directory });
  const file = petstore.path("deploy/.env");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const named = [...read("deploy/compose.yaml").matchAll(/\$\{(\w+_PASSWORD):\?/g)].map(
    ([, name]) => name,
  );
  const made = [...readFileSync(file, "utf8").matchAll(/^(\w+)=[0-9a-f]{48}$/gm)].map(
    ([, name]) => name,
  );
  expect(new Set(made)).toEqual(new Set(named));
  expect(new Set(readFileSync(file, "utf8").match(/(?<==).+/g))).toHaveProperty(
    "size",
    made.length,
  );
});

test("systemd runs the server on valid settings, with longer to stop than it needs, and several processes alike, but as one user and each with ports of its own", () => {
  const given = [
    ...assignments(read("deploy/petstore.conf")),
    ...assignments(read("deploy/petstore.secret")),
  ];
  const config = readConfig(Object.fromEntries(given), false);
  const service = Object.fromEntries(assignments(unit));
  expect(Number.parseInt(service["TimeoutStopSec"] ?? "", 10) * 1000).toBeGreaterThanOrEqual(
    config.drainMs + config.shutdownGraceMs + 5_000,
  );
  // It would stop Node from compiling anything.
  expect(service).not.toHaveProperty("MemoryDenyWriteExecute");

  const several = Object.fromEntries(assignments(read("deploy/petstore@.service")));
  expect(several).toEqual({
    ...service,
    Description: `${service["Description"]} on port %i`,
    ExecStart: `/usr/bin/env PETSTORE_PORT=%i PETSTORE_ADMIN_PORT=1%i ${service["ExecStart"]}`,
    User: "petstore",
  });
});

test("0 after SIGUSR1 with the options of the image and of systemd, and no debugger is opened", async ({
  petstore,
}) => {
  const inImage =
    /^ENTRYPOINT \["\S+node", (.*), "\S+"\]$/m.exec(dockerfile)?.[1]?.match(/[\w-]+/g) ?? [];
  expect(/^ExecStart=\S+ (--disable\S+) /m.exec(unit)?.slice(1)).toEqual([...inImage]);
  await using server = await serving(
    start(process.execPath, [...inImage, petstoreServer, "serve"], petstore),
  );
  server.kill("SIGUSR1");
  expect((await fetch(`${server.url}/openapi.json`)).status).toBe(200);
  await expectExit(0, server.stop(), { stderr: "" });
});
