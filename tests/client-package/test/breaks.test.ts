import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { hasRuntimes } from "@petstore/test-kit/runtimes";
import { expect, test } from "vitest";
import { breaksOfApi, breaksOfClient } from "../scripts/breaks.ts";

const document = "packages/contract/openapi.json";
const [main, int64, testing] = ["index", "int64", "testing"].map(
  (entry) => `packages/client/dist/${entry}.d.cts`,
);

/** What is compared of this checkout, and of a copy with a change of one file. */
async function changed(file = "", text: string | RegExp, replacement: string) {
  const directory = await mkdtempDisposable(join(tmpdir(), "petstore-next-"));
  for (const each of [document, main, int64, testing] as string[]) {
    mkdirSync(dirname(join(directory.path, each)), { recursive: true });
    copyFileSync(join(root, each), join(directory.path, each));
  }
  const path = join(directory.path, file);
  const before = readFileSync(path, "utf8");
  writeFileSync(path, before.replace(text, replacement));
  expect(readFileSync(path, "utf8")).not.toBe(before);
  return directory;
}

test.each([
  ["renames a status", main, /"sold"/g, '"adopted"', "Type '\"sold\"' is not assignable to type"],
  [
    "adds a status",
    main,
    '"sold"]',
    '"sold", "lost"]',
    "Type '\"lost\"' is not assignable to type",
  ],
  [
    "requires a field of a new animal",
    main,
    /^ {2}categoryId: number/m,
    "  tag: string;\n$&",
    "'tag' is missing",
  ],
  ["removes a method", main, " createPet(", " addPet(", "createPet"],
  [
    "removes an option, which would then be ignored",
    main,
    /^ {2}timeoutMs\?.*$/gm,
    "",
    "'keyof PetstoreClientOptions",
  ],
  ["removes a type", main, " type ResponseDetails,", "", "ResponseDetails"],
  [
    "changes a function of another entry",
    int64,
    "parseInt64(text: string)",
    "parseInt64(text: 1n)",
    "type 'string'",
  ],
  ["removes a member of the fake", testing, " readonly requests:", " readonly calls:", "requests"],
] as const)(
  "a change of the client that %s breaks programs",
  async (_, file, text, replacement, message) => {
    await using next = await changed(file, text, replacement);
    expect(breaksOfClient(root, next.path).join("\n")).toContain(message);
  },
);

test.each([
  [
    "a field to animals",
    /^ {2}categoryId: (?:Int64<Form>|number \| bigint \| string);/gm,
    "$&\n  note?: string;",
  ],
  ["a method", /^ {2}createPet\(/m, "  archivePet(petId: string): Result<void>;\n$&"],
  ["an error code", '"pet_not_found",', '$& "order_not_found",'],
  ["another name to an experimental method", "    updatePet(", "    changePet("],
] as const)("a change of the client that adds %s breaks none", async (_, text, replacement) => {
  await using next = await changed(main, text, replacement);
  expect(breaksOfClient(root, next.path)).toEqual([]);
});

const renamed = "POST /pets: removed the enum value `sold` of the request property `status`";
const removed = "GET /pets: api path removed without deprecation";

// Its comparison is a program for this platform.
test.skipIf(!hasRuntimes).each([
  ["renames a status breaks", '"sold"', '"adopted"', expect.arrayContaining([renamed])],
  ["removes a path breaks", '"/pets":', '"/animals":', expect.arrayContaining([removed])],
  ["changes words breaks no", /"Availability[^"]*"/g, '"Whether it can be adopted."', []],
  ["removes an experimental operation breaks no", '"/store/orders":', '"/orders":', []],
] as const)("a change of the API that %s programs", async (_, text, replacement, breaks) => {
  await using next = await changed(document, text, replacement);
  expect(await breaksOfApi(root, next.path)).toEqual(breaks);
});
