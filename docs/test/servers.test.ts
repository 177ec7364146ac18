import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import {
  createKey,
  run,
  serve,
  serving,
  start,
  temporaryDirectory,
  type Serving,
} from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { blockOf, blocksIn } from "./markdown-pages.ts";
import { environmentIn } from "./session.ts";

/** Runs a block whose last command is a server, on any free port, without a drain when it stops. */
async function serveWith(directory: string, block: string): Promise<Serving> {
  const environment = { ...environmentIn(directory), PETSTORE_PORT: "0", PETSTORE_DRAIN_MS: "0" };
  // The signal that stops it must reach the last command.
  const script = block.replace(/\n(?=.*$)/, "\nexec env ");
  return await serving(start("sh", ["-e", "-c", script], { directory, environment }));
}

/** The key that the server has printed. */
function keyIn(server: Serving): string {
  return /pst_\w+/.exec(server.stdout())?.[0] ?? "";
}

test("0: the server of README.md serves with the key that it printed, which is as SECURITY.md says, and logs as docs/server.md shows", async () => {
  using directory = temporaryDirectory();
  const block = blockOf("README.md", "PETSTORE_DATABASE_URL=").replace("/var/lib/petstore/", "");
  await using server = await serveWith(directory.path, block);
  expect(keyIn(server)).toMatch(new RegExp(`^${blockOf("SECURITY.md", "pst_")}$`));
  expect((await server.call(keyIn(server), "/pets")).text).toBe("[]");
  expect((await server.call(keyIn(server), "/pets", '{"name":"Rex","categoryId":1}')).status).toBe(
    403,
  );
  const { exitCode, stdout } = await server.stop();
  expect(exitCode).toBe(0);

  const line = stdout.split("\n").find((text) => text.includes('"route":"/pets"')) ?? "{}";
  const shown = blocksIn("docs/server.md", "json").map(({ code }) => Object.keys(JSON.parse(code)));
  expect(shown).toEqual([
    ["at", "operator", "action", "key"], // as the tests of the command do
    ["at", "key", "name", "requestId", "action", "previous"],
    Object.keys(JSON.parse(line) as object),
  ]);
});

test("0: the program of docs/deployment.md runs where it was copied to", async () => {
  using directory = temporaryDirectory();
  const opt = join(directory.path, "opt");
  const [installing, building, ...copying] = blockOf(
    "docs/deployment.md",
    "npx pnpm@12 install",
  ).split("\n");
  expect(installing).toBe('npx pnpm@12 install --filter-prod "@petstore/server..."');
  expect(building).toBe("npx pnpm@12 --filter @petstore/server build"); // turbo has done so
  execFileSync("sh", ["-e", "-c", copying.join("\n").replaceAll("/opt/petstore", opt)], {
    cwd: root,
  });
  const block = blockOf("docs/deployment.md", "export PETSTORE_DATABASE_URL").replaceAll(
    "/opt/petstore",
    opt,
  );
  await using server = await serveWith(directory.path, block);
  expect((await server.call(keyIn(server), "/pets")).text).toBe("[]");
  expect((await server.stop()).exitCode).toBe(0);
});

test("0: the unit of docs/deployment.md publishes the animals that can be adopted, and keeps the last list after a failure", async () => {
  using directory = temporaryDirectory();
  await using server = await serve(directory.path);
  const key = await createKey(directory.path);
  const add = async (status: string) =>
    await server.call(
      key,
      "/pets",
      JSON.stringify({ name: `<b>${status}</b>`, categoryId: 1, status }),
    );
  for (const status of ["available", "pending", "sold"])
    expect((await add(status)).status).toBe(201);
  const unit = read("deploy/petstore-our-animals.service");
  const [, command = ""] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit) ?? [];
  const [installing = ""] = blockOf(
    "docs/deployment.md",
    "install -D -t /opt/petstore apps/cli",
  ).split("\n");
  const opt = join(directory.path, "opt");
  // turbo has built it
  execFileSync("sh", ["-c", installing.replace("/opt/petstore", opt)], { cwd: root });
  const script = command
    .replace("/opt/petstore/node", process.execPath)
    .replace("/opt/petstore", opt);
  const environment = { PETSTORE_API_KEY: key, PETSTORE_BASE_URL: server.url };
  const publish = () =>
    start("sh", ["-c", script], { directory: directory.path, environment }).ended;
  const published = () => readFileSync(join(directory.path, "animals.json"), "utf8");
  expect((await publish()).exitCode).toBe(0);
  expect(JSON.parse(published())).toEqual([{ name: "<b>available</b>", categoryId: 1 }]);
  const before = published();
  await server.stop();
  expect((await publish()).exitCode).not.toBe(0);
  expect(published()).toBe(before);
});

test("2: the weekly import of docs/deployment.md imports each newest file once, and one of another shape changes nothing", async () => {
  using directory = temporaryDirectory();
  await using server = await serve(directory.path);
  const key = await createKey(directory.path);
  const path = (name: string) => join(directory.path, name);
  for (const name of ["exports", "state", "credentials"]) mkdirSync(path(name));
  writeFileSync(
    path("credentials/settings"),
    `PETSTORE_BASE_URL=${server.url}\nPETSTORE_API_KEY=${key}\n`,
  );
  cpSync(join(root, "apps/cli/dist"), path("opt"), { recursive: true }); // turbo has built it
  const unit = read("deploy/petstore-import.service");
  expect(unit).toContain("\nExecStart=/opt/petstore/petstore-import.sh $IMPORT_OPTIONS\n");
  const script = read("deploy/petstore-import.sh").replace("/opt/petstore/node", process.execPath);
  writeFileSync(path("import.sh"), script.replace("/opt/petstore", path("opt")));
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: path("state"),
    STATE_DIRECTORY: path("state"),
    CREDENTIALS_DIRECTORY: path("credentials"),
  };
  // A shell takes the quotes of the options as systemd does.
  const words = `. "${join(root, "deploy/import.conf")}"; eval "set -- $IMPORT_OPTIONS"; exec sh "${path("import.sh")}" "$@"`;
  const weekly = () =>
    start("sh", ["-c", words], { directory: path("exports"), environment }).ended;
  const put = (name: string, day: number, text: string) => {
    writeFileSync(path(`exports/${name}`), text);
    utimesSync(path(`exports/${name}`), day, day);
  };
  const pets = async () =>
    (JSON.parse((await server.call(key, "/pets")).text) as Record<string, string>[]).map(
      ({ reference, name, status }) => `${reference} ${name} ${status}`,
    );
  const expectRun = async (exitCode: number, stderr: string, stored: string[]) => {
    expect(await weekly()).toMatchObject({ exitCode, stderr: expect.stringContaining(stderr) });
    expect(await pets()).toEqual(stored);
  };

  await expectRun(1, "There is no CSV or XLSX file in ", []);
  put("week 1.csv", 2, "Animal ID,Name,Species,Status\n7,Rex,Dog,Available\n");
  put("another.csv", 1, "Animal ID,Name,Species,Status\n7,Max,Dog,Available\n");
  await expectRun(0, "", ["7 Rex available"]);
  await expectRun(1, "There is no newer file than the last one", ["7 Rex available"]);
  put("week 2.csv", 3, "Animal ID,Name,Species,Status\n7,Rex,Dog,Adopted\n8,,Cat,Available\n");
  await expectRun(0, "1 to add, 1 to change", ["7 Rex sold", "8 8 available"]);
  put("week 3.csv", 4, "Number,Name,Species,Status\n7,Rex,Dog,Available\n");
  await expectRun(2, "has no column Animal ID", ["7 Rex sold", "8 8 available"]);
  put("week 3.csv", 4, "Animal ID,Name,Species,Status\n7,Rex,Dog,Available\n");
  await expectRun(0, "1 no longer in the file", ["7 Rex available", "8 8 available"]);
  put("WEEK 4.CSV", 5, "Animal ID,Name,Species,Status\n7,Rex,Dog,Adopted\n8,Tom,Cat,Unclear\n");
  await expectRun(1, "One row was not added", ["7 Rex sold", "8 8 available"]);
  await expectRun(1, "There is no newer file than the last one", ["7 Rex sold", "8 8 available"]);
  // An import that stops counts for nothing, and runs again.
  put("week 5.csv", 6, "Animal ID,Name,Species,Status\n7,Rex,Dog,Available\n");
  const { url } = server;
  writeFileSync(
    path("credentials/settings"),
    `PETSTORE_BASE_URL=${url}\nPETSTORE_API_KEY=pst_live_${"x".repeat(38)}\n`,
  );
  await expectRun(4, "api_key", ["7 Rex sold", "8 8 available"]);
  writeFileSync(
    path("credentials/settings"),
    `PETSTORE_BASE_URL=${url}\nPETSTORE_API_KEY=${key}\n`,
  );
  await expectRun(0, "1 to change", ["7 Rex available", "8 8 available"]);
});

test("0: every command of the table of docs/server.md is there, with every flag", async () => {
  using directory = temporaryDirectory();
  const [, section = ""] = /^## Commands\n([^]*?)^## /m.exec(read("docs/server.md")) ?? [];
  const rows = [...section.matchAll(/^\| `([a-z]+(?: [a-z]+)*).*$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  for (const [row, command = ""] of rows) {
    const { exitCode, stdout } = await run(directory.path, [...command.split(" "), "--help"]);
    expect(exitCode).toBe(0);
    // An unknown command prints the help of the command above it, which has `[command]`.
    const [, usage = ""] =
      /^Usage: petstore-server ([a-z ]+) \[options\](?! \[command\])/.exec(stdout) ?? [];
    expect.soft(command).toMatch(new RegExp(`^${usage || "no such command"}`));
    for (const flag of row.match(/--[a-z-]+/g) ?? []) expect.soft(stdout).toContain(flag);
  }
});

test("0: docs/deployment.md issues keys with a command that works, wherever it says so", async () => {
  const [command = "", ...others] =
    read("docs/deployment.md").match(/(?<=petstore-server\.mjs )keys [^\n']+/g) ?? [];
  expect(others).toEqual(Array.from({ length: 3 }, () => command));
  using directory = temporaryDirectory();
  const { exitCode, stdout } = await run(directory.path, command.split(" "));
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^pst_live_\w+\n$/);
});
