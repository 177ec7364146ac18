// Prints how long the board takes with many animals, as a table in Markdown. See
// docs/performance.md.
import { copyFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { launchChromium } from "@petstore/test-chromium/chromium";
import { openDesktop } from "@petstore/test-kit/desktop";
import type { Browser } from "playwright-core";
import { addAnimals, load, poll, search, type Figures } from "./board-page.ts";
import { bundle, makeDirectory, runCommand, startBundledServer } from "./server-process.ts";

/** As many as the board keeps. */
const animals = 20_000;

/** So that the animals that are added fit, too. */
const fewerAnimals = 18_900;

const names = [
  "Bella",
  "Max",
  "Élodie",
  "Jürgen",
  "Luna",
  "Charlie",
  "Мурка",
  "Søren",
  "Daisy",
  "Rocky",
  "Milo",
];
const petStatuses = ["available", "pending", "sold"];

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    // A build of the server, which contains the board. Given twice, both are compared.
    bundle: { type: "string", multiple: true, default: [bundle] },
  },
});

await using desktop = openDesktop();
using directory = makeDirectory();
const original = createDatabase("original.db", animals);
const fewer = createDatabase("fewer.db", fewerAnimals);
const browser = await launchChromium(desktop.directory);
const measured = new Map(values.bundle.map((program) => [program, [] as Figures[]]));
// In turns, so that other load on the machine affects all of them. The first round warms up.
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const [program, figures] of measured) {
    const found = await measure(browser, program);
    if (round > 0) figures.push(found);
    process.stderr.write(`round ${round} of ${values.rounds}: ${relative("", program)}\n`);
  }
}
await browser.close();
print();

/** Measures a build once, in a browser without history, on databases of its own. */
async function measure(chromium: Browser, program: string): Promise<Figures> {
  const many = await withBoard(chromium, program, original, async (board) => {
    const loaded = await load(board);
    return { ...loaded, ...(await search(board)) };
  });
  const some = await withBoard(chromium, program, fewer, async (board) => {
    await load(board);
    return { ...(await poll(board)), ...(await addAnimals(board)) };
  });
  return { ...many, ...some };
}

async function withBoard(
  chromium: Browser,
  program: string,
  database: { file: string; apiKey: string },
  use: (board: Parameters<typeof load>[0]) => Promise<Figures>,
): Promise<Figures> {
  const file = join(directory.path, "copy.db");
  copyFileSync(database.file, file);
  await using server = await startBundledServer(`sqlite:${file}`, { program });
  const context = await chromium.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
  });
  const page = await context.newPage();
  try {
    const devtools = await context.newCDPSession(page);
    return await use({
      page,
      devtools,
      origin: `http://127.0.0.1:${server.port}`,
      apiKey: database.apiKey,
    });
  } finally {
    await context.close();
  }
}

function createDatabase(name: string, count: number): { file: string; apiKey: string } {
  const file = join(directory.path, name);
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      id: index + 1,
      name: `${names[index % names.length]} ${index}`,
      categoryId: (index % 7) + 1,
      status: petStatuses[index % petStatuses.length],
      reference: `N-${100_000 + index}`,
    }),
  );
  runCommand(`sqlite:${file}`, ["import", "pets", "-"], lines.join("\n"));
  return {
    file,
    apiKey: runCommand(`sqlite:${file}`, ["keys", "create", "--name", "board"]).trim(),
  };
}

/** A row for each figure, a column for each build: the median (min..max). */
function print(): void {
  const [first = []] = measured.values();
  const lines = Object.keys(first[0] ?? {}).map((name) => [
    name,
    ...Array.from(measured.values(), (figures) =>
      spread(figures.map((each) => each[name] ?? Number.NaN)),
    ),
  ]);
  const head = [
    `${animals} animals`,
    ...Array.from(measured.keys(), (program) => relative("", program)),
  ];
  const rows = [head, ["---", ...head.slice(1).map(() => "---:")], ...lines];
  process.stdout.write(rows.map((cells) => `| ${cells.join(" | ")} |\n`).join(""));
}

function spread(all: readonly number[]): string {
  const sorted = all.toSorted((left, right) => left - right);
  const [least, median, most] = [0, Math.floor(sorted.length / 2), sorted.length - 1].map((at) =>
    (sorted[at] ?? Number.NaN).toFixed((sorted.at(-1) ?? 0) < 100 ? 1 : 0),
  );
  return `${median} (${least}..${most})`;
}
