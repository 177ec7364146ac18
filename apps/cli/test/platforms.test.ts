import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { start, type Ended } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { binary } from "./support/binary.ts";
import { test } from "./support/fixtures.ts";

// The built program on this system: a workflow runs these tests on Windows and macOS too.

/** The user's directories as this system names them, and where the files of the program belong. */
function userOf(home: string) {
  const [roaming, local] = [join(home, "AppData", "Roaming"), join(home, "AppData", "Local")];
  return process.platform === "win32"
    ? {
        environment: { USERPROFILE: home, APPDATA: roaming, LOCALAPPDATA: local },
        config: roaming,
        state: local,
      }
    : {
        environment: { HOME: home },
        config: join(home, ".config"),
        state: join(home, ".local", "state"),
      };
}

/** Runs `petstore` as a user whose files are in a directory. */
async function petstoreOf(
  home: string,
  args: readonly string[],
  { directory = home, input = "" } = {},
): Promise<Ended> {
  const { environment } = userOf(home);
  await using running = start(process.execPath, [binary, ...args], {
    directory,
    environment,
    input,
  });
  return await running.ended;
}

function printed(stdout: string): object {
  return { exitCode: 0, stdout, stderr: "" };
}

test("0: version and help", async ({ home }) => {
  expect(await petstoreOf(home, ["--version"])).toMatchObject(printed(`${packageJson.version}\n`));
  expect((await petstoreOf(home, ["pets", "import", "--help"])).stdout).toMatch(
    /^Usage: petstore /,
  );
});

test("0: a login is saved where this system keeps settings, and a sheet with CRLF is imported once from a path with blanks and umlauts", async ({
  home,
  server,
}) => {
  const directory = join(home, "Tiere für München");
  mkdirSync(directory);
  const name = "neue Tiere.csv";
  writeFileSync(
    join(directory, name),
    'categoryId,name\r\n1,"Grüße, Rex"\r\n9223372036854775807,Tom\r\n',
  );
  const login = ["auth", "login", "--base-url", server.url];
  expect(await petstoreOf(home, login, { input: `${server.apiKey}\r\n` })).toMatchObject({
    exitCode: 0,
  });
  const file = join(userOf(home).config, "petstore", "config.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    baseUrl: server.url,
    apiKey: server.apiKey,
  });

  const first = await petstoreOf(home, ["pets", "import", name, "-q"], { directory });
  expect(first).toMatchObject(printed('{"added":2,"alreadyAdded":0,"rejected":0}\n'));
  expect(existsSync(join(userOf(home).state, "petstore", "imports"))).toBe(true);
  const again = await petstoreOf(home, ["pets", "import", join(directory, name), "-q"]);
  expect(again).toMatchObject(printed('{"added":0,"alreadyAdded":2,"rejected":0}\n'));

  const list = await petstoreOf(home, ["pets", "list", "-o", "csv"]);
  const animals = ['1,"Grüße, Rex",1,available,', "2,Tom,9223372036854775807,available,"];
  expect(list.stdout.trimEnd().split(/\r?\n/).slice(1)).toEqual(animals);
});
