import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { start, temporaryDirectory, type Ended } from "@petstore/test-kit/processes";
import { expect, onTestFinished, test } from "vitest";
import { animals, parseLines, startCatalogue, type Catalogue } from "./catalogue.ts";
import { connected, petstore } from "./petstore.ts";

const binary = fileURLToPath(new URL("../dist/petstore.js", import.meta.url));

/** Runs a script that can call `petstore` as a shell does. */
async function bash(server: Catalogue, script: string): Promise<Ended> {
  using home = temporaryDirectory();
  const environment = {
    HOME: home.path,
    PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
    BINARY: binary,
    ...connected(server),
  };
  const setUp = 'petstore() { node "$BINARY" "$@"; }';
  return await start("bash", ["-c", `${setUp}\n${script}`], { directory: home.path, environment }).ended;
}

test.each(["table", "json"])(
  "0: 60,000 animals as %s need no more memory than a few",
  { timeout: 30_000 },
  async (format) => {
    await using server = await startCatalogue(animals(60_000, { name: "x".repeat(250) }));
    const { exitCode, stdout, stderr } = await petstore(["pets", "list", "--all", "-o", format], {
      // In MB. All of the animals would need more, and so would their text.
      environment: { ...connected(server), NODE_OPTIONS: "--max-old-space-size=24" },
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout.match(/x{250}/g)).toHaveLength(60_000);
  },
);

test.each(["table", "json", "ndjson", "csv"])(
  "0: a reader of %s that has seen enough ends the list",
  async (format) => {
    await using server = await startCatalogue(animals(10_000, { name: "x".repeat(250) }));
    const script = `petstore pets list --all -o ${format} | head -1; echo "\${PIPESTATUS[@]}"`;
    const { stdout, stderr } = await bash(server, script);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^.+\n0 0\n$/);
    // What the pipe holds, and no more.
    expect(server.pages()).toBeLessThan(10);
  },
);

test("0: a reader of notes that has seen enough changes nothing", async () => {
  await using server = await startCatalogue(animals(1_000));
  const { stdout, stderr } = await bash(
    server,
    `petstore pets list --all --verbose 2>&1 >animals | head -1; echo "\${PIPESTATUS[@]}"; wc -l <animals`,
  );
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^> listPets .*\n0 0\n *1000\n$/);
});

test.each([
  ["pets", "list"],
  ["pets", "list", "-o", "json"],
  ["pets", "create", "--name", "Rex", "--category-id", "7"],
])("0: nobody reads what %s %s prints", async (...args) => {
  await using server = await startCatalogue(animals(21));
  using home = temporaryDirectory();
  const child = spawn(process.execPath, [binary, ...args], { env: { HOME: home.path, ...connected(server) } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const closed = once(child.stdout, "close");
  child.stdout.destroy();
  server.beforePage = async () => void (await closed);
  const ended = once(child, "close");
  expect([await text(child.stderr), await ended]).toEqual(["", [0, null]]);
});

const diskFull = { code: "unexpected", message: "ENOSPC: no space left on device, write", exitCode: 1 };

test.each([
  ["table", `error: ${diskFull.message}\n`],
  ["csv", `error: ${diskFull.message}\n`],
  ["json", `${JSON.stringify({ error: diskFull })}\n`],
  ["ndjson", `${JSON.stringify({ error: diskFull })}\n`],
])("1: %s for a full disk is reported", async (format, message) => {
  await using server = await startCatalogue(animals(3));
  const { exitCode, stdout, stderr } = await bash(server, `petstore pets list -o ${format} >/dev/full`);
  expect([exitCode, stdout, stderr]).toEqual([1, "", message]);
});

test("1: a disk that fills up in the middle of a list ends it", async () => {
  await using server = await startCatalogue(animals(10_000, { name: "x".repeat(250) }));
  const script = "ulimit -f 100; trap '' XFSZ; petstore pets list --all >animals; echo $?; wc -c <animals";
  const { stdout, stderr } = await bash(server, script);
  expect(stdout).toMatch(/^1\n *102400\n$/);
  expect(stderr).toMatch(/^error: EFBIG: file too large, write\n$/);
  expect(server.pages()).toBeLessThan(10);
});

test("0: what is printed to a file is all there", async () => {
  await using server = await startCatalogue(animals(1_000));
  const { exitCode, stdout, stderr } = await bash(server, "petstore pets list --all >animals; cat animals");
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(parseLines(stdout)).toHaveLength(1_000);
});
