import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKey, petstoreServer, run, serve, settings, temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase, runSql } from "./postgres-database.ts";

vi.setConfig({ testTimeout: 120_000 });

/** Animals in the order of their ids, over all that an import may bring, with names that are easily changed on the way. */
const lines = Array.from({ length: 5_501 }, (_, index) => {
  const place = (BigInt(index) * (2n ** 64n - 2n ** 53n - 1n)) / 5_500n - 2n ** 63n;
  const id = place < 0n ? place : place + 2n ** 53n;
  const name = ["た\u2028ま", " O'Hara \"; -- \\", "🦜".repeat(255), "\u0001\t\u007f\u0085\uFEFF"][index % 4];
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${-id - 1n},"status":"sold"}\n`;
});
const soFar = (stored: number, skipped: number, line: number) =>
  `${stored} pets stored, ${skipped} already there, all of the lines before line ${line}. Fix what is wrong and run the same command again: nothing is stored twice.\n`;

test.each(["pets", "orders"])(
  "0 after kill -9 in the middle and a second run: %s are the same bytes in SQLite, in PostgreSQL and behind it",
  async (collection) => {
    using directory = temporaryDirectory();
    await using database = await createDatabase();
    await run(directory.path, ["import", collection, "-"], { input: lines.toReversed().join("") });
    const { stdout: exported } = await run(directory.path, ["export", collection]);
    expect(exported).toBe(lines.join(""));
    writeFileSync(join(directory.path, "all.ndjson"), exported);

    const environment = { PETSTORE_DATABASE_URL: database.url };
    const args = [petstoreServer, "import", collection, "-", "--batches"];
    const child = spawn(process.execPath, args, { env: environment, stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdin.write(lines.slice(0, 3_500).join(""));
    const count = async () => {
      const rows = await runSql(database.url, `SELECT count(*)::int AS count FROM ${collection}`).catch(() => []);
      return (rows[0] as { count: number } | undefined)?.count;
    };
    await expect.poll(count, { timeout: 30_000 }).toBe(3_000);
    child.kill("SIGKILL");
    await once(child, "close");
    expect(await count()).toBe(3_000);

    const again = await run(directory.path, ["import", collection, "all.ndjson", "--batches"], { environment });
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: `2501 ${collection} stored, 3000 already there.\n`,
    });
    expect((await run(directory.path, ["export", collection], { environment })).stdout).toBe(exported);
  },
);

test("65 at the first batch with a bad line: what is before it stays stored, and the mended file goes on from there", async () => {
  using directory = temporaryDirectory();
  await run(directory.path, ["migrate"]);
  const good = lines.slice(0, 2_500);
  const bad = good
    .with(1_200, "{}\n")
    .with(1_300, `{"note":"${"x".repeat(200_000)}"}\n`)
    .with(1_301, "{\n");
  writeFileSync(join(directory.path, "pets.ndjson"), bad.join(""));
  const command = ["import", "pets", "pets.ndjson", "--batches"];
  const stopped = await run(directory.path, command);
  expect(stopped).toMatchObject({ exitCode: 65, stdout: "" });
  expect(stopped.stderr).toMatch(/^petstore-server: pets\.ndjson:1201: name: .*\n/);
  expect(stopped.stderr.split("\n").slice(1).join("\n")).toBe(
    `pets.ndjson:1301: line: must be at most 16384 bytes long\npets.ndjson:1302: line: must be valid JSON\n${soFar(1_000, 0, 1_001)}`,
  );
  expect((await run(directory.path, ["export", "pets"])).stdout).toBe(good.slice(0, 1_000).join(""));

  writeFileSync(join(directory.path, "pets.ndjson"), good.join(""));
  expect(await run(directory.path, command)).toMatchObject({
    exitCode: 0,
    stderr: "1500 pets stored, 1000 already there.\n",
  });
  expect((await run(directory.path, ["export", "pets"])).stdout).toBe(good.join(""));
});

test("65 at a conflict and at a line without an id, named with file and line", async () => {
  using directory = temporaryDirectory();
  await run(directory.path, ["import", "pets", "-"], { input: '{"id":1200,"name":"Bella","categoryId":1}\n' });
  const input = Array.from({ length: 1_500 }, (_, index) => `{"id":${index + 1},"name":"Milo","categoryId":1}\n`);
  expect(await run(directory.path, ["import", "pets", "-", "--batches"], { input: input.join("") })).toMatchObject({
    exitCode: 65,
    stderr: `petstore-server: standard input:1200: id 1200 is taken by a different animal\n${soFar(1_000, 0, 1_001)}`,
  });
  const unnumbered = '{"name":"Milo","categoryId":1}\n';
  expect(await run(directory.path, ["import", "pets", "-", "--batches"], { input: unnumbered })).toMatchObject({
    exitCode: 65,
    stderr: `petstore-server: standard input:1: id: is required with --batches\n${soFar(0, 0, 1)}`,
  });
});

test("a terminal shows how many are stored, and the share of the file", async () => {
  using directory = temporaryDirectory();
  await run(directory.path, ["migrate"]);
  writeFileSync(join(directory.path, "pets.ndjson"), lines.slice(0, 2_000).join(""));
  const command = `'${process.execPath}' '${petstoreServer}' import pets pets.ndjson --batches`;
  const { status, stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
    cwd: directory.path,
    env: { ...settings, PATH: process.env["PATH"] },
    encoding: "utf8",
  });
  const shown = stdout.split("\r\u001b[K");
  expect(shown).toContainEqual(expect.stringMatching(/^1,000 pets \(\d+ %\)$/));
  expect(shown.at(-1)).toBe("2000 pets stored, 0 already there.\r\n");
  expect(status).toBe(0);
});

test.each([[[]], [["--batches"]]])(
  "keys move to PostgreSQL without their secrets, and open it (%j)",
  async (options) => {
    using directory = temporaryDirectory();
    await using database = await createDatabase();
    const key = await createKey(directory.path, "--scopes", "read", "--expires-in", "90d");
    const revoked = await createKey(directory.path, "--test");
    const { stdout: listed } = await run(directory.path, ["keys", "list", "--json"]);
    const id = (JSON.parse(listed) as { id: string }[])[1]?.id ?? "";
    await run(directory.path, ["keys", "revoke", id]);
    const { stdout: exported } = await run(directory.path, ["export", "keys"]);
    expect(exported.trimEnd().split("\n")).toHaveLength(2);
    expect(exported).not.toContain(key.slice("pst_live_".length, -6));

    const environment = { ...settings, PETSTORE_DATABASE_URL: database.url };
    const command = ["import", "keys", "-", ...options];
    expect(await run(directory.path, command, { environment, input: exported })).toMatchObject({
      exitCode: 0,
      stderr: "Created the tables in the PostgreSQL database.\n2 keys stored, 0 already there.\n",
    });
    expect((await run(directory.path, ["export", "keys"], { environment })).stdout).toBe(exported);
    await using server = await serve(directory.path, { environment });
    expect((await server.call(key, "/pets")).status).toBe(200);
    expect((await server.call(revoked, "/pets")).status).toBe(401);

    const changed = exported.replace('"live"', '"test"');
    const refused = await run(directory.path, command, { environment, input: changed });
    expect(refused.exitCode).toBe(65);
    expect(refused.stderr).toMatch(
      /^petstore-server: standard input:1: key_\w+ or its hash is taken by a different key\n/,
    );
  },
);
