import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { petstore, petstoreProcess, startScript } from "../support/petstore.ts";
import { configFile, saveConfig } from "../support/saved-settings.ts";

describe("its writing", () => {
  test("0: for its owner only, whatever the umask allows, and where others could read it before", async ({ home }) => {
    const set = `umask 0; "$@" config set output csv`;
    expect(await startScript(set, { home }).ended).toMatchObject({ exitCode: 0 });
    const path = configFile(home);
    expect([path, dirname(path), join(home, "config")].map(mode)).toEqual([0o600, 0o700, 0o700]);
    chmodSync(path, 0o644);
    await petstore("config set output csv", { home });
    expect(mode(path)).toBe(0o600);
  });

  test("0: as a new file that replaces the old one, without leftovers", async ({ home }) => {
    const path = saveConfig(home, { profiles: { default: { output: "table" } } });
    const before = readFileSync(path, "utf8");
    linkSync(path, join(home, "old"));
    await petstore("config set output json", { home });
    expect(readFileSync(join(home, "old"), "utf8")).toBe(before);
    const written = { profiles: { default: { output: "json" } } };
    expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(written, undefined, 2)}\n`);
    expect(readdirSync(dirname(path))).toEqual(["config.json"]);
  });

  test("0: by many at once, and the file is always complete", async ({ home }) => {
    const writers = ["table", "json", "ndjson", "csv"].map((format) =>
      petstoreProcess(["config", "set", "output", format], { home }),
    );
    const ended = await Promise.all(writers);
    expect(ended.map(({ exitCode }) => exitCode)).toEqual(ended.map(() => 0));
    expect(JSON.parse(readFileSync(configFile(home), "utf8"))).toHaveProperty("profiles.default.output");
    expect(readdirSync(dirname(configFile(home)))).toEqual(["config.json"]);
  });

  test("0: through a link, which stays a link", async ({ home }) => {
    const target = join(home, "kept", "petstore.json");
    mkdirSync(dirname(target));
    writeFileSync(target, '{"profiles":{"default":{"base-url":"http://127.0.0.1/v1"}}}');
    const path = configFile(home);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync("../../kept/petstore.json", path);

    await petstore("config set output csv", { home });
    expect(readlinkSync(path)).toBe("../../kept/petstore.json");
    const profiles = { default: { "base-url": "http://127.0.0.1/v1", output: "csv" } };
    expect(JSON.parse(readFileSync(target, "utf8"))).toEqual({ profiles });
    expect(mode(target)).toBe(0o600);
    expect(readdirSync(dirname(target))).toEqual(["petstore.json"]);
  });

  test("2: if its directory is a file", async ({ home }) => {
    writeFileSync(join(home, "config"), "");
    const { exitCode, stdout, stderr } = await petstore("config set output csv", { home });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toBe(`error: The configuration file ${configFile(home)} cannot be written: not a directory\n`);
    expect(readFileSync(join(home, "config"), "utf8")).toBe("");
  });
});

describe("a damaged configuration file", () => {
  test.for([
    ["empty", ""],
    ["with a comma too many", '{\n  "profile": "a",\n}'],
    ["null", "null"],
    ["with profiles that are a list", '{"profiles":[]}'],
    ["with a profile that is a text", '{"profiles":{"a":{},"b":"https://petstore.example/v1"}}'],
    ["with a setting that is a number", '{"profiles":{"a":{"timeout":"1s","retries":3}}}'],
    ["with a profile to use that is a number", '{"profile":1}'],
  ] as const)("2: %s, is rejected and not changed", async ([, text], { home }) => {
    const path = saveConfig(home, text);
    const form = '{"profiles": {"default": {"base-url": "…"}}}';
    const hint = `It must be JSON like ${form}. Fix it, or move it away and log in again`;
    const stderr = `error: The configuration file ${path} is damaged\nhint: ${hint}\n`;
    for (const line of ["pets list", "config set output csv"]) {
      expect(await petstore(line, { home })).toEqual({ exitCode: 2, signal: null, stdout: "", stderr });
    }
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(dirname(path))).toEqual(["config.json"]);
  });

  test("0: a byte order mark from an editor is accepted", async ({ home }) => {
    saveConfig(home, '\uFEFF{"profiles":{"default":{"output":"json"}}}');
    expect((await petstore("config list", { home })).stdout).toContain('"value":"json"');
  });

  test("0: unknown members are kept", async ({ home }) => {
    const path = saveConfig(home, '{"comment":"mine","profiles":{"default":{"from-a-newer-version":"yes"}}}');
    await petstore("config set output csv", { home });
    const profiles = { default: { "from-a-newer-version": "yes", output: "csv" } };
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ comment: "mine", profiles });
  });
});

function mode(path: string): number {
  return statSync(path).mode & 0o777;
}
