import type { Pet } from "@petstore/client";
import { INT64_MAX, INT64_MIN, parseJson } from "@petstore/contract/int64";
import { startServer } from "@petstore/server/start-server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { animals, parseLines, startCatalogue } from "./catalogue.ts";
import { parseCsv, withoutApostrophe } from "./csv.ts";
import { connected, petstore, petstoreInTerminal } from "./petstore.ts";

const formats = ["table", "json", "ndjson", "csv"] as const;

/** What `petstore` prints, in this format, of a server with these animals. */
async function printed(format: string, pets: readonly Partial<Pet>[], ...args: readonly string[]): Promise<string> {
  await using server = await startCatalogue(pets.map((pet) => ({ ...animals(1)[0], ...pet }) as Pet));
  const words = ["pets", "list", "-o", format, ...args];
  const { stdout, stderr, exitCode } = await petstore(words, { environment: connected(server) });
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout;
}

test("0: a table is chosen for a terminal, and ndjson for a pipe", async () => {
  await using server = await startCatalogue(animals(2));
  const environment = connected(server);
  await using session = petstoreInTerminal(["pets", "list"], { environment });
  await session.ended;
  expect(session.screen()[0]).toMatch(/^ID +NAME +CATEGORY ID +STATUS$/);
  const { stdout } = await petstore(["pets", "list"], { environment });
  expect(parseLines(stdout)).toHaveLength(2);
});

test.each([
  [
    "table",
    "ID  NAME      CATEGORY ID  STATUS\n 1  Animal 1            7  available\n 2  Animal 2            7  available\n",
  ],
  ["csv", "id,name,categoryId,status\n1,Animal 1,7,available\n2,Animal 2,7,available\n"],
  [
    "ndjson",
    '{"id":1,"name":"Animal 1","categoryId":7,"status":"available"}\n{"id":2,"name":"Animal 2","categoryId":7,"status":"available"}\n',
  ],
  [
    "json",
    '[\n{"id":1,"name":"Animal 1","categoryId":7,"status":"available"},\n{"id":2,"name":"Animal 2","categoryId":7,"status":"available"}\n]\n',
  ],
])("0: a list as %s, through a pipe", async (format, expected) => {
  expect(await printed(format, animals(2))).toBe(expected);
});

test.each([
  ["table", "ID  NAME  CATEGORY ID  STATUS\n 1  Rex             7  sold\n"],
  ["csv", "id,name,categoryId,status\n1,Rex,7,sold\n"],
  ["ndjson", '{"id":1,"name":"Rex","categoryId":7,"status":"sold"}\n'],
  ["json", '{"id":1,"name":"Rex","categoryId":7,"status":"sold"}\n'],
])("0: one animal as %s is not a list", async (format, expected) => {
  await using server = await startServer();
  const create = ["pets", "create", "--name", "Rex", "--category-id", "7", "--status", "sold", "-o", format];
  expect(await petstore(create, { environment: connected(server) })).toMatchObject({ exitCode: 0, stdout: expected });
  const get = ["pets", "get", "1", "-o", format];
  expect(await petstore(get, { environment: connected(server) })).toMatchObject({ exitCode: 0, stdout: expected });
});

test.each([
  ["table", ""],
  ["csv", "id,name,categoryId,status\n"],
  ["ndjson", ""],
  ["json", "[\n]\n"],
])("0: no animals as %s", async (format, expected) => {
  expect(await printed(format, [], "--quiet")).toBe(expected);
});

test.each([0, 1, 100, 101, 250])(
  "0: json of %i animals is one document, with an animal on each line",
  async (count) => {
    const text = await printed("json", animals(count), "--all", "--quiet");
    expect(JSON.parse(text)).toEqual(animals(count).map((pet, index) => ({ id: index + 1, ...pet })));
    expect(text.split("\n")).toHaveLength(count + 3);
  },
);

test("0: the columns of csv are those of the header, also over pages", async () => {
  const rows = parseCsv(await printed("csv", animals(250), "--all"));
  expect(rows).toEqual([
    ["id", "name", "categoryId", "status"],
    ...animals(250).map(({ name }, index) => [String(index + 1), name, "7", "available"]),
  ]);
});

// A smaller example would take a process for each attempt.
const asFound = { endOnFailure: true };
const longer = { timeout: 20_000 };

const int64 = fc.oneof(
  fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
  fc.constantFrom(INT64_MIN, INT64_MAX, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 0n, -1n, 10n ** 18n),
);

type Numbers = [id: bigint, categoryId: bigint];

const readNumbers: Record<(typeof formats)[number], (text: string) => Numbers[]> = {
  table: (text) =>
    text
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => {
        const [id, , categoryId] = line.trim().split(/ +/);
        return [BigInt(id ?? ""), BigInt(categoryId ?? "")];
      }),
  csv: (text) =>
    parseCsv(text)
      .slice(1)
      .map(([id, , categoryId]) => [BigInt(id ?? ""), BigInt(categoryId ?? "")]),
  // As text, so that no codec of ours has a part in it.
  ndjson: (text) => text.trimEnd().split("\n").map(readJsonNumbers),
  json: (text) => text.trimEnd().split("\n").slice(1, -1).map(readJsonNumbers),
};

function readJsonNumbers(line: string): Numbers {
  const [, id = "", categoryId = ""] = /^\{"id":(-?\d+),"name":"Rex","categoryId":(-?\d+),/.exec(line) ?? [];
  return [BigInt(id), BigInt(categoryId)];
}

test.each(formats)("0: 64-bit integers are exact in %s", longer, async (format) => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(int64, int64), { selector: ([id]) => id, minLength: 100, maxLength: 200 }),
      async (numbers) => {
        const text = await printed(
          format,
          numbers.map(([id, categoryId]) => ({ id, categoryId, name: "Rex" })),
          "--all",
        );
        const inOrder = numbers.toSorted(([left], [right]) => (left < right ? -1 : 1));
        expect(readNumbers[format](text)).toEqual(inOrder);
      },
    ),
    { numRuns: 3, ...asFound },
  );
});

test("0: 64-bit integers are numbers in json", async () => {
  const pet = { id: INT64_MAX, categoryId: INT64_MIN, name: "Rex", status: "sold" } as const;
  expect(parseJson(await printed("json", [pet]))).toEqual([pet]);
});

/** Text of what matters to CSV, and of anything. */
const name = fc
  .oneof(
    fc.array(fc.constantFrom('"', ",", "\n", "\r", " ", "\t", ";", "'", "=", "\\", "a", "é", "\ufeff"), {
      minLength: 1,
    }),
    fc.array(fc.string({ unit: "binary", minLength: 1, maxLength: 1 }), { minLength: 1 }),
  )
  .map((characters) => characters.join("").replaceAll("\0", "0"));

/** What a spreadsheet runs. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

test.each(["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\tx", "\rx", "\n=1", "＝1", "＋1", "－1", "＠1", "'quoted"])(
  "0: in csv an apostrophe keeps the name %j from being a formula, and a negative number stays one",
  async (each) => {
    const text = await printed("csv", [{ id: -5, name: each, categoryId: -7 }]);
    expect(parseCsv(text)[1]).toEqual(["-5", `'${each}`, "-7", "available"]);
  },
);

test("0: csv can be read back, whatever animals are called", longer, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 100, maxLength: 100 }), async (names) => {
      const rows = parseCsv(
        await printed(
          "csv",
          names.map((each) => ({ name: each })),
          "--all",
        ),
      );
      const read = rows.slice(1).map(([id, cell = "", ...rest]) => [id, withoutApostrophe(cell), ...rest]);
      expect(read).toEqual(names.map((each, index) => [String(index + 1), each, "7", "available"]));
      expect(rows.filter(([, cell = ""]) => formula.test(cell))).toEqual([]);
    }),
    { numRuns: 6, ...asFound },
  );
});

test.each(["json", "ndjson"])("0: %s can be read back, whatever animals are called", longer, async (format) => {
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 100, maxLength: 100 }), async (names) => {
      const text = await printed(
        format,
        names.map((each) => ({ name: each })),
        "--all",
      );
      const pets = format === "json" ? (JSON.parse(text) as unknown[]) : parseLines(text);
      expect(pets).toMatchObject(names.map((each) => ({ name: each })));
    }),
    { numRuns: 3, ...asFound },
  );
});
