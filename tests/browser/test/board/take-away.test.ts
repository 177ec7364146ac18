import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "@petstore/test-kit/checkout";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { expectShown } from "../visitor.ts";
import { startBoard } from "./board.ts";
import { choose } from "./spreadsheet.ts";

test("the list that is saved in German means the same animals on the board and for the command line", async () => {
  await using board = await startBoard({
    categoryNames: new Map([
      ["1", "Dogs"],
      ["2", "=Cats; and others"],
    ]),
  });
  const names = [
    "=1+2",
    "'quoted",
    'a "b", c; d',
    "line\r\nbreak",
    "@x",
    "Müller",
    " ",
    "-7",
    "null",
    "Hund",
  ];
  await board.server.store.importPets(
    names.map((name, index) => ({
      id: index + 1,
      name,
      categoryId: index % 4,
      status: "sold" as const,
    })),
  );
  const page = await board.open({ view: "?status=sold&order=oldest", locale: "de" });
  await page.getByRole("button", { name: "Mehr für diese Liste" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: /CSV/ }).click();
  const file = await download;
  const saved = await readFile(await file.path());
  expect(saved.toString("utf8").split("\n")[0]).toBe("\uFEFFPetstore ID;Name;Kategorie;Status");

  await page.goto(`${board.url}?add=several`);
  await choose(page, "animals.csv", saved);
  await expectShown(page.getByRole("status").filter({ hasText: "10 unverändert" }));

  const main = join(root, "apps/cli/src/main.ts");
  const options = [
    "pets",
    "import",
    await file.path(),
    "--categories",
    "1=Dogs,2==Cats; and others",
  ];
  using home = temporaryDirectory();
  const env = {
    ...process.env,
    HOME: home.path,
    XDG_CONFIG_HOME: undefined,
    XDG_STATE_HOME: undefined,
  };
  const connection = { PETSTORE_BASE_URL: `${board.url}v1`, PETSTORE_API_KEY: board.server.apiKey };
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...options], {
    env: { ...env, ...connection },
  });
  expect(JSON.parse(stdout)).toEqual({ added: 0, alreadyAdded: 0, rejected: 0, unchanged: 10 });
});
