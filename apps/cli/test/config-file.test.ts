import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";
import { petstore, type RunOptions } from "./petstore.ts";
import { configFile, saveConfig } from "./saved-settings.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("where it is", () => {
  test.each<[place: string, environment: (home: string) => RunOptions["environment"], path: string]>([
    ["in XDG_CONFIG_HOME", (home) => ({ XDG_CONFIG_HOME: join(home, "elsewhere") }), "elsewhere/petstore/config.json"],
    ["in ~/.config without it", () => ({ XDG_CONFIG_HOME: undefined }), ".config/petstore/config.json"],
    ["in ~/.config when it is empty", () => ({ XDG_CONFIG_HOME: "" }), ".config/petstore/config.json"],
    ["in ~/.config when it is relative", () => ({ XDG_CONFIG_HOME: "relative" }), ".config/petstore/config.json"],
  ])("0: %s", async (_, environment, path) => {
    using home = temporaryDirectory();
    const options: RunOptions = { home: home.path, environment: environment(home.path) };
    expect(await petstore(["config", "path"], options)).toMatchObject({
      exitCode: 0,
      stdout: `${join(home.path, path)}\n`,
      stderr: "",
    });
    expect(readdirSync(home.path)).toEqual([]);
    await petstore(["config", "set", "timeout", "7s"], options);
    expect(JSON.parse(readFileSync(join(home.path, path), "utf8"))).toEqual({
      profiles: { default: { timeout: "7s" } },
    });
    expect(readdirSync(home.path)).toEqual([path.split("/")[0]]);
  });
});

describe("how it is written", () => {
  test("0: for its owner only, whatever the umask allows", async () => {
    using home = temporaryDirectory();
    const umask = process.umask(0);
    try {
      await petstore(["config", "set", "timeout", "7s"], { home: home.path });
    } finally {
      process.umask(umask);
    }
    const path = configFile(home.path);
    expect([path, dirname(path), join(home.path, "config")].map(mode)).toEqual([0o600, 0o700, 0o700]);
  });

  test("0: for its owner only, also where others could read it before", async () => {
    using home = temporaryDirectory();
    const path = saveConfig(home.path, {});
    chmodSync(path, 0o644);
    await petstore(["config", "set", "timeout", "7s"], { home: home.path });
    expect(mode(path)).toBe(0o600);
  });

  test("0: as a new file in the place of the old one, which nobody sees half written, and nothing is left beside it", async () => {
    using home = temporaryDirectory();
    const path = saveConfig(home.path, { profiles: { default: { retries: "1" } } });
    const before = readFileSync(path, "utf8");
    linkSync(path, join(home.path, "old"));
    await petstore(["config", "set", "retries", "2"], { home: home.path });
    expect(readFileSync(join(home.path, "old"), "utf8")).toBe(before);
    expect(readFileSync(path, "utf8")).toBe(
      '{\n  "profiles": {\n    "default": {\n      "retries": "2"\n    }\n  }\n}\n',
    );
    expect(readdirSync(dirname(path))).toEqual(["config.json"]);
  });

  test("0: by many at once, it is always a whole one", async () => {
    using home = temporaryDirectory();
    const writers = Array.from({ length: 10 }, (_, retries) =>
      petstore(["config", "set", "retries", String(retries)], { home: home.path }),
    );
    const ended = await Promise.all(writers);
    expect(ended.map(({ exitCode }) => exitCode)).toEqual(ended.map(() => 0));
    expect((await petstore(["config", "get", "retries"], { home: home.path })).stdout).toMatch(/^\d\n$/);
    expect(readdirSync(dirname(configFile(home.path)))).toEqual(["config.json"]);
  });

  test.each([
    [
      "to a file",
      (target: string) => writeFileSync(target, '{"profiles":{"default":{"retries":"1"}}}'),
      { retries: "1" },
    ],
    ["to nothing yet", () => {}, {}],
  ])("0: through a link %s, which stays one", async (_, make, before) => {
    using home = temporaryDirectory();
    const target = join(home.path, "kept", "petstore.json");
    mkdirSync(dirname(target));
    make(target);
    const path = configFile(home.path);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync("../../kept/petstore.json", path);

    await petstore(["config", "set", "timeout", "7s"], { home: home.path });
    expect(readlinkSync(path)).toBe("../../kept/petstore.json");
    expect(lstatSync(target).isFile()).toBe(true);
    expect(JSON.parse(readFileSync(target, "utf8"))).toEqual({ profiles: { default: { ...before, timeout: "7s" } } });
    expect(mode(target)).toBe(0o600);
    expect(readdirSync(dirname(target))).toEqual(["petstore.json"]);
  });

  test("2: not where a file is in the way of its directory", async () => {
    using home = temporaryDirectory();
    writeFileSync(join(home.path, "config"), "");
    const { exitCode, stdout, stderr } = await petstore(["config", "set", "timeout", "7s"], { home: home.path });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/^error: The configuration file cannot be written: E[A-Z]+: .*\n$/);
    expect(readFileSync(join(home.path, "config"), "utf8")).toBe("");
  });
});

describe("one that is damaged", () => {
  test.each([
    ["empty", ""],
    ["cut off", '{"profiles":{"default":{"base-url":"https://pet'],
    ["a list", "[]"],
    ["a text", '"profiles"'],
    ["null", "null"],
    ["with profiles that are a list", '{"profiles":[]}'],
    ["with profiles that are null", '{"profiles":null}'],
    ["with a profile that is a text", '{"profiles":{"default":"https://petstore.example/v1"}}'],
    ["with a setting that is a number", '{"profiles":{"default":{"retries":3}}}'],
    ["with a profile to use that is a number", '{"profile":1}'],
  ])("2: %s, is refused by name and left as it is", async (_, text) => {
    using home = temporaryDirectory();
    const path = saveConfig(home.path, text);
    const refused = {
      exitCode: 2,
      signal: null,
      stdout: "",
      stderr: `error: The configuration file ${path} is damaged\nhint: It must be like {"profiles": {"default": {"base-url": "…"}}}. Mend it, or move it away and log in again\n`,
    };
    const options: RunOptions = { home: home.path };
    const commands = [
      ["pets", "list"],
      ["config", "list"],
      ["config", "set", "timeout", "7s"],
      ["auth", "logout"],
    ];
    const ended = await Promise.all(commands.map((command) => petstore(command, options)));
    expect(ended).toEqual(commands.map(() => refused));
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(dirname(path))).toEqual(["config.json"]);
  });

  test("2: a directory in its place is refused", async () => {
    using home = temporaryDirectory();
    mkdirSync(configFile(home.path), { recursive: true });
    const { exitCode, stderr } = await petstore(["config", "list"], { home: home.path });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: The configuration file cannot be read: EISDIR/);
  });

  test.each([["{}"], ['{"profiles":{}}'], ['{"profiles":{"default":{"from-a-newer-version":"yes"}}}']])(
    "0: %s is not",
    async (text) => {
      using home = temporaryDirectory();
      saveConfig(home.path, text);
      expect(await petstore(["config", "get", "timeout"], { home: home.path })).toMatchObject({
        exitCode: 0,
        stdout: "30s\n",
      });
    },
  );

  test("0: what a newer version saves in a profile stays there", async () => {
    using home = temporaryDirectory();
    const path = saveConfig(home.path, '{"profiles":{"default":{"from-a-newer-version":"yes"}}}');
    await petstore(["config", "set", "timeout", "7s"], { home: home.path });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      profiles: { default: { "from-a-newer-version": "yes", timeout: "7s" } },
    });
  });
});

test("0: help and version need no configuration", async () => {
  using home = temporaryDirectory();
  saveConfig(home.path, "damaged");
  expect(await petstore(["--version"], { home: home.path })).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await petstore(["config", "--help"], { home: home.path })).toMatchObject({ exitCode: 0, stderr: "" });
  expect(existsSync(configFile(home.path))).toBe(true);
});

function mode(path: string): number {
  return statSync(path).mode & 0o777;
}
