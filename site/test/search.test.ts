import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes } from "@petstore/contract/error-codes";
import { launchChromium } from "@petstore/test-chromium/chromium";
import { isProof } from "@petstore/test-kit/endurance";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readOpenApi } from "../.vitepress/openapi.ts";
import { root } from "./site.ts";
import { startSite } from "./start-site.ts";

let site: Awaited<ReturnType<typeof startSite>>;
let browser: Awaited<ReturnType<typeof launchChromium>>;
let page: Awaited<ReturnType<typeof browser.newPage>>;

beforeAll(async () => {
  site = await startSite();
  browser = await launchChromium(inject("directory"));
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${site.origin}/`);
  await page.getByRole("button", { name: "Search" }).first().click();
});
afterAll(async () => {
  await browser.close();
  await site[Symbol.asyncDispose]();
});

/** Where the first three results lead. */
async function search(words: string): Promise<string[]> {
  const results = page.getByRole("option");
  await page.getByRole("searchbox").fill("");
  await results.first().waitFor({ state: "detached" });
  await page.getByRole("searchbox").fill(words);
  await results.first().waitFor();
  // Those in the text of a result are links of the page that was found.
  const links = results.locator("> a");
  return (
    await links.evaluateAll((found) => found.map((link) => link.getAttribute("href") ?? ""))
  ).slice(0, 3);
}

/** The first cells of the tables of a page. */
function firstCells(file: string, pattern: RegExp): string[] {
  const rows = readFileSync(join(root, file), "utf8").matchAll(/^\| (.+?) +\|/gm);
  return [...rows].flatMap(([, cell = ""]) => pattern.exec(cell)?.[1] ?? []);
}

/** All in the proof, and otherwise the first one. */
function some<Item>(items: readonly Item[]): readonly Item[] {
  expect(items.length).toBeGreaterThan(3);
  return isProof ? items : items.slice(0, 1);
}

function exitCodesOf(file: string): string[] {
  return firstCells(file, /^(\d+)$/).map((code) => `exit code ${code}`);
}

const commandNames = [
  "petstore pets list",
  "petstore pets create",
  "petstore pets import",
  "petstore auth login",
];

const operations = Object.values(readOpenApi().paths).flatMap((methods) => Object.values(methods));

const commands = firstCells("docs/server.md", /^`(keys [a-z]+|[a-z]+)[ `]/).slice(0, 13);

/** What people look for, and a pattern for where one of the first three results leads. */
const kinds: readonly (readonly [
  kind: string,
  words: readonly string[],
  place: (words: string) => string,
])[] = [
  ["operation", operations.map(({ operationId }) => operationId), (name) => `/http/${name}#`],
  ["error code", errorCodes.filter((code) => code.includes("_")), () => "/api#"],
  [
    "setting",
    firstCells("docs/configuration.md", /^`(PETSTORE_\w+)`$/),
    () => "/configuration#configuration",
  ],
  [
    "option of the client",
    firstCells("packages/client/README.md", /^`(\w+)`$/),
    () => "/(?:reference/client/|client/|api)#",
  ],
  [
    "command of the server",
    commands.map((name) => `petstore-server ${name}`),
    () => "/(?:server|operations|postgresql-backup)#",
  ],
  ["command", commandNames, (name) => `/reference/cli#${name.replaceAll(" ", "-")}`],
  ["exit code of the server", exitCodesOf("docs/server.md"), () => "/server#exit-codes"],
  ["exit code", exitCodesOf("apps/cli/README.md"), () => "/cli/#errors-and-exit-codes"],
];

test.for(
  kinds.flatMap(([kind, words, place]) =>
    some(words).map((each) => [kind, each, place(each)] as const),
  ),
)("the %s %s is found", async ([, words, place]) => {
  expect(await search(words)).toContainEqual(expect.stringMatching(place));
});

test.for([
  ["rotate a key", "/server#replacing-a-key"],
  ["how do I remove an animal", "/http/deletePet#remove-an-animal-deletepet"],
  ["webhook", "/api#what-there-is-not-webhooks-sorting-photos"],
  ["sort", "/api#what-there-is-not-webhooks-sorting-photos"],
  ["photo", "/api#what-there-is-not-webhooks-sorting-photos"],
  ["idempotency_key_reused", "/client/#idempotency"],
] as const)("the first result for %s is %s", async ([words, place]) => {
  expect((await search(words))[0]).toBe(place);
});
