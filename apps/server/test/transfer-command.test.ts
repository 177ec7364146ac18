import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKey, run, serve, settings, start, temporaryDirectory } from "@petstore/test-kit/processes";
import { petstoreServer } from "@petstore/test-kit/shipped";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { checkLines, Problems } from "../src/commands/transfer/lines.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("import pets", () => {
  test("stores the lines of a file, for a running server to show at once", async () => {
    using directory = temporaryDirectory();
    const key = await createKey(directory.path);
    await using server = await serve(directory.path);
    const lines = [
      '{"name":"Bella","categoryId":-9223372036854775808}',
      "",
      '  {"status":"sold","name":"た\u2028ま","categoryId":1e0,"id":9223372036854775807,"color":"red"}\r',
      '{"id":-5,"name":"Milo","categoryId":2,"status":"pending"}',
    ];
    writeFileSync(join(directory.path, "pets.ndjson"), lines.join("\n"));
    expect(await run(directory.path, ["import", "pets", "pets.ndjson"])).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "3 pets stored, 0 already there.\n",
    });
    expect((await server.call(key, "/pets")).text).toBe(
      `[${[
        '{"id":-5,"name":"Milo","categoryId":2,"status":"pending"}',
        '{"id":1,"name":"Bella","categoryId":-9223372036854775808,"status":"available"}',
        '{"id":9223372036854775807,"name":"た\u2028ま","categoryId":1,"status":"sold"}',
      ].join(",")}]`,
    );
  });

  test("reports each bad line as file:line: field: reason, and stores nothing", async () => {
    using directory = temporaryDirectory();
    await run(directory.path, ["migrate"]);
    const lines = [
      '{"name":"Bella","categoryId":1}',
      '{"name":"","categoryId":1.5,"status":"gone"}',
      "",
      '{"name":"Bella"}',
      '{"id":9223372036854775808,"name":"Bella","categoryId":1}',
      '{"name":"Bella","categoryId":1',
      '["Bella"]',
      '{"id":4503599627370496,"name":"Bella","categoryId":1}',
      '{"id":9007199254740991,"name":"Bella","categoryId":1}',
      '{"name":1e400,"categoryId":1}',
      `{"name":"Bella","categoryId":1,"note":"${"x".repeat(16 * 1024)}"}`,
    ];
    const input = Buffer.concat([
      Buffer.from(`${lines.join("\n")}\n{"name":"`),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    writeFileSync(join(directory.path, "pets.ndjson"), input);
    const { exitCode, stdout, stderr } = await run(directory.path, ["import", "pets", "pets.ndjson"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 65, stdout: "" });
    const integer = "must be an integer from -9223372036854775808 to 9223372036854775807";
    const reserved = "must not be from 4503599627370496 to 9007199254740991: these ids are kept for new animals";
    expect(stderr.split("\n")).toEqual([
      `petstore-server: pets.ndjson:2: name: must be text of 1 to 255 characters without U+0000 or lone surrogates; categoryId: ${integer}; status: must be one of available, pending, sold`,
      `pets.ndjson:4: categoryId: ${integer}`,
      `pets.ndjson:5: id: ${integer}`,
      "pets.ndjson:6: line: must be valid JSON",
      "pets.ndjson:7: line: must be a JSON object",
      `pets.ndjson:8: id: ${reserved}`,
      `pets.ndjson:9: id: ${reserved}`,
      "pets.ndjson:10: name: must be text of 1 to 255 characters without U+0000 or lone surrogates",
      "pets.ndjson:11: line: must be at most 16384 bytes long",
      "pets.ndjson:12: line: must be valid UTF-8",
      "Nothing was stored.",
      "",
    ]);
    expect((await run(directory.path, ["export", "pets"])).stdout).toBe("");
  });

  test("prints at most 20 bad lines, and how many more there are", async () => {
    using directory = temporaryDirectory();
    await run(directory.path, ["migrate"]);
    const { stderr } = await run(directory.path, ["import", "pets", "-"], { input: "x\n".repeat(25) });
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(22);
    expect(lines.slice(19)).toEqual([
      "standard input:20: line: must be valid JSON",
      "… and 5 more",
      "Nothing was stored.",
    ]);
  });

  test("skips what is there already, and refuses what differs, from standard input too", async () => {
    using directory = temporaryDirectory();
    const bella = '{"id":1,"name":"Bella","categoryId":1,"status":"sold"}\n';
    const milo = '{"id":2,"name":"Milo","categoryId":1,"status":"sold"}\n';
    await run(directory.path, ["import", "pets", "-"], { input: bella });
    expect(await run(directory.path, ["import", "pets", "-"], { input: bella + milo })).toMatchObject({
      exitCode: 0,
      stderr: "1 pets stored, 1 already there.\n",
    });
    const changed = '{"id":3,"name":"Ada","categoryId":1}\n{"id":1,"name":"Bello","categoryId":1,"status":"sold"}\n';
    expect(await run(directory.path, ["import", "pets", "-"], { input: changed })).toMatchObject({
      exitCode: 65,
      stdout: "",
      stderr: "petstore-server: standard input:2: id 1 is taken by a different animal\nNothing was stored.\n",
    });
    expect((await run(directory.path, ["export", "pets"])).stdout).toBe(bella + milo);
  });
});

test("0 for an import in memory that does not grow with the file, from a pipe and without ids too", async () => {
  using directory = temporaryDirectory();
  const report = 'process.on("exit", () => console.log(process.resourceUsage().maxRSS / 1024))';
  const importAnimals = async (count: number): Promise<number> => {
    const args = ["--import", `data:text/javascript,${report}`, petstoreServer, "import", "pets", "-"];
    const input = '{"name":"An animal with a name of some length","categoryId":1}\n'.repeat(count);
    const { exitCode, stdout } = await start(process.execPath, args, {
      directory: directory.path,
      environment: settings,
      input,
    }).ended;
    expect(exitCode).toBe(0);
    return Number(stdout);
  };
  const fewMiB = await importAnimals(1_000);
  expect(await importAnimals(250_000)).toBeLessThan(fewMiB + 80);
});

describe("import pets --replace", () => {
  test("replaces what differs, all or none, and counts new, changed and equal ones", async () => {
    using directory = temporaryDirectory();
    const replace = (input: string, ...options: string[]) =>
      run(directory.path, ["import", "pets", "-", "--replace", ...options], { input });
    await run(directory.path, ["import", "pets", "-"], { input: petLine(1, "available") + petLine(2, "available") });
    expect(await replace(`${petLine(1, "sold")}{}\n`)).toMatchObject({ exitCode: 65 });
    expect((await run(directory.path, ["export", "pets"])).stdout).toBe(
      petLine(1, "available") + petLine(2, "available"),
    );
    expect(await replace(petLine(1, "sold") + petLine(2, "available") + petLine(3, "pending"))).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "1 pets stored, 1 changed, 1 already there.\n",
    });
    const changed = petLine(1, "sold") + petLine(2, "pending") + petLine(3, "pending");
    expect(await replace(changed, "--batches")).toMatchObject({
      exitCode: 0,
      stderr: "0 pets stored, 1 changed, 2 already there.\n",
    });
    expect((await run(directory.path, ["export", "pets"])).stdout).toBe(changed);
    const orders = await run(directory.path, ["import", "orders", "-", "--replace"], { input: '{"id":1}\n' });
    expect(orders).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/--replace is for pets/) as string });
  });
});

describe("import orders", () => {
  test("replaces what is there, and keeps every order to the byte", async () => {
    using directory = temporaryDirectory();
    const key = await createKey(directory.path);
    const first = '{"id":1,"state":"open"}\n{"id":2}\n';
    const second = '{ "total": 1.50, "id": 1, "big": 123456789012345678901234567890, "a": "\\u00e9" }\n';
    await run(directory.path, ["import", "orders", "-"], { input: first });
    expect(await run(directory.path, ["import", "orders", "-"], { input: second })).toMatchObject({
      exitCode: 0,
      stderr: "0 orders stored, 1 changed, 0 already there.\n",
    });
    expect((await run(directory.path, ["export", "orders"])).stdout).toBe(`${second}{"id":2}\n`);
    await using server = await serve(directory.path);
    expect((await server.call(key, "/store/orders")).text).toBe(`[${second.trimEnd()},{"id":2}]`);
  });

  test("reports bad lines, and stores nothing", async () => {
    using directory = temporaryDirectory();
    await run(directory.path, ["migrate"]);
    const input = '{"id":1}\n{"id":"2"}\n{"state":"open"}\n7\n';
    const { exitCode, stderr } = await run(directory.path, ["import", "orders", "-"], { input });
    const integer = "must be an integer from -9223372036854775808 to 9223372036854775807";
    expect(exitCode).toBe(65);
    expect(stderr).toBe(
      [
        `petstore-server: standard input:2: id: ${integer}`,
        `standard input:3: id: ${integer}`,
        "standard input:4: line: must be a JSON object",
        "Nothing was stored.",
        "",
      ].join("\n"),
    );
    expect((await run(directory.path, ["export", "orders"])).stdout).toBe("");
  });
});

describe("export", () => {
  test.each(["pets", "orders"])("of %s into import into export gives the same bytes", async (collection) => {
    using directory = temporaryDirectory();
    const lines = Array.from({ length: 2_500 }, (_, index) => {
      // Over the whole range but for the ids that are kept for new animals, and more than two pages.
      const id = BigInt(index - 1_250) * 7_378_697_629_483_820n + 2_000_000_000_000_000n;
      return `{"id":${id},"name":"Bella ${index} 🦜","categoryId":${-id},"status":"sold"}\n`;
    });
    await run(directory.path, ["import", collection, "-"], { input: lines.toReversed().join("") });
    const command = `"${process.execPath}" "${petstoreServer}"`;
    const { status, stderr } = spawnSync(
      "sh",
      [
        "-c",
        `${command} export ${collection} | PETSTORE_DATABASE_URL=sqlite:copy.db ${command} import ${collection} -`,
      ],
      { cwd: directory.path, env: settings, encoding: "utf8" },
    );
    expect(status).toBe(0);
    expect(stderr).toMatch(/^Created \/\S+\/copy\.db\.\n2500 (?:pets|orders) stored, 0 already there\.\n$/);
    const environment = { ...settings, PETSTORE_DATABASE_URL: "sqlite:copy.db" };
    expect((await run(directory.path, ["export", collection], { environment })).stdout).toBe(lines.join(""));
  });

  test("ends quietly when its reader has seen enough", async () => {
    using directory = temporaryDirectory();
    const line = `{"name":"${"x".repeat(200)}","categoryId":1}\n`;
    await run(directory.path, ["import", "pets", "-"], { input: line.repeat(5_000) });
    const script = `{ "${process.execPath}" "${petstoreServer}" export pets; echo $? >status; } | head -n 1`;
    const { stdout, stderr } = spawnSync("sh", ["-c", script], {
      cwd: directory.path,
      env: { ...settings, PATH: process.env["PATH"] },
      encoding: "utf8",
    });
    expect(stdout).toMatch(/^\{"id":1,.*\}\n$/);
    expect(stderr).toBe("");
    expect(readFileSync(join(directory.path, "status"), "utf8")).toBe("0\n");
  });
});

describe("a terminal", () => {
  /** What nobody wants a terminal to do: clear the screen, set its title, turn text around. */
  const hostile = "\u001b[2J\u001b]0;title\u0007\u009b31m\u202e\u2066\u2028";
  const obeyed = /[^\P{Cc}\r\n]|[\p{Bidi_Control}\u2028\u2029]/u;

  test("is shown escapes for what it would obey, by export too, which a pipe gets to the byte", async () => {
    using directory = temporaryDirectory();
    const order = `{"id":1,"note":${JSON.stringify(hostile)}}`;
    const pet = `{"id":1,"name":${JSON.stringify(hostile)},"categoryId":1,"status":"sold"}`;
    await run(directory.path, ["import", "orders", "-"], { input: order });
    await run(directory.path, ["import", "pets", "-"], { input: pet });
    for (const [collection, exported] of [
      ["orders", order],
      ["pets", pet],
    ] as const) {
      expect(exported).toMatch(obeyed);
      expect((await run(directory.path, ["export", collection])).stdout).toBe(`${exported}\n`);
      const shown = onTerminal(directory.path, "export", collection);
      expect(shown).not.toMatch(obeyed);
      expect(JSON.parse(shown)).toEqual(JSON.parse(exported));
    }
  });

  test("is shown escapes in messages, of file names and of arguments", async () => {
    using directory = temporaryDirectory();
    const name = `${hostile}.ndjson`;
    await run(directory.path, ["migrate"]);
    writeFileSync(join(directory.path, name), "x\n");
    for (const args of [
      ["import", "pets", name],
      ["import", "pets", `missing ${name}`],
      ["import", hostile, name],
      [hostile],
      ["backup", name],
      ["keys", "revoke", hostile],
      ["remove", "pets", hostile, "1"],
    ]) {
      const { exitCode, stdout, stderr } = await run(directory.path, args);
      expect(exitCode).not.toBe(0);
      expect(stdout).toBe("");
      expect(stderr).toContain(String.raw`\u001b[2J`);
      expect(stderr).not.toMatch(obeyed);
    }
  });
});

test("65 for spaces without end in the time that spaces take: sixteen times as long lines cost no more", async () => {
  time(1_000);
  const ratios = Array.from({ length: 5 }, () => time(16_000) / time(1_000));
  expect(Math.min(...ratios)).toBeLessThan(4);
});

test("2 for a directory, and 65 for a byte order mark and for the second of two animals with one id, each in one line", async () => {
  using directory = temporaryDirectory();
  for (const options of [[], ["--batches"]]) {
    const ofDirectory = await run(directory.path, ["import", "pets", ".", ...options]);
    expect(ofDirectory).toMatchObject({
      exitCode: 2,
      stderr: "petstore-server: . cannot be read: it is a directory\n",
    });

    const line = '{"id":7,"name":"Rex","categoryId":7}\n';
    const marked = await run(directory.path, ["import", "pets", "-", ...options], { input: `\uFEFF${line}` });
    expect(marked.exitCode).toBe(65);
    expect(marked.stderr).toContain("standard input:1: line: must not begin with a byte order mark\n");

    const input = line + line.replaceAll("7,", "8,") + line.replace("Rex", "Max");
    const conflict = await run(directory.path, ["import", "pets", "-", ...options], { input });
    expect(conflict.exitCode).toBe(65);
    expect(conflict.stderr).toContain("standard input:3: id 7 is taken by a different animal\n");
  }
});

function petLine(id: number, status: string): string {
  return `{"id":${id},"name":"Bella","categoryId":1,"status":"${status}"}\n`;
}

/** What a terminal is sent by a command. */
function onTerminal(directory: string, ...args: readonly string[]): string {
  const command = `'${process.execPath}' '${petstoreServer}' ${args.join(" ")}`;
  const options = { cwd: directory, env: { ...settings, PATH: process.env["PATH"] }, encoding: "utf8" } as const;
  return spawnSync("script", ["-qec", command, "/dev/null"], options).stdout;
}

/** Milliseconds for checking 4 MiB of lines with so many spaces in their middle. */
function time(length: number): number {
  const lines = Array<Buffer>(Math.floor(2 ** 22 / length)).fill(Buffer.from(`{"a":1${" ".repeat(length)}}x`));
  const problems = new Problems();
  const startedAt = performance.now();
  checkLines("x", { lines, firstNumber: 1 }, z.object({}), problems);
  expect(problems.count).toBe(lines.length);
  return performance.now() - startedAt;
}
