import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { resolveOptions } from "../src/settings.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const source = read("../src/options.ts");
const section = /^## Options$.*?(?=^## )/ms.exec(read("../README.md"))?.[0] ?? "";
const rows = [...section.matchAll(/^\| `(\w+)` .*$/gm)].map(([row, name = ""]) => {
  const [, , unit, defaultValue, perCall, meaning] = row.split("|").map((cell) => cell.trim());
  return { name, unit, defaultValue: defaultValue?.replaceAll("`", ""), perCall, meaning };
});

/** The members of an interface in the source, with the `@default` of their comments. */
function membersOf(name: string): { name: string; defaultValue: string | undefined }[] {
  const body = new RegExp(`^export interface ${name}\\b.*?^\\}`, "ms").exec(source)?.[0] ?? "";
  return [...body.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s+(\w+)\?:/gs)].map(([, comment, member = ""]) => ({
    name: member,
    defaultValue: /@default (.*)/.exec(comment ?? "")?.[1]?.replaceAll("`", ""),
  }));
}

const ofClient = membersOf("PetstoreClientOptions");
const ofCall = membersOf("RequestOptions");
const ofCreation = membersOf("CreateOptions");

test("the table has exactly one row for each option", () => {
  const names = [...ofClient, ...ofCall, ...ofCreation].map(({ name }) => name);
  expect([ofClient.length, ofCall.length, ofCreation.length].every((count) => count > 0)).toBe(true);
  expect(rows.map(({ name }) => name)).toStrictEqual([...new Set(names)]);
  expect(rows.filter(({ meaning }) => meaning === "")).toStrictEqual([]);
});

test.each([...ofClient, ...ofCall, ...ofCreation].filter(({ defaultValue }) => defaultValue !== undefined))(
  "the default of $name matches its doc comment: $defaultValue",
  ({ name, defaultValue }) => {
    expect(rows.find((row) => row.name === name)?.defaultValue).toBe(defaultValue);
  },
);

test("every option has a default", () => {
  const withDefault = new Set(
    [...ofClient, ...ofCall, ...ofCreation].filter((option) => option.defaultValue).map(({ name }) => name),
  );
  expect(rows.filter(({ name }) => !withDefault.has(name))).toStrictEqual([]);
});

test("the table marks the options of a call and those in milliseconds", () => {
  expect(rows.map((row) => row.perCall)).toStrictEqual(rows.map(({ name }) => marked(name)));
  expect(rows.map(({ unit }) => unit === "ms")).toStrictEqual(rows.map(({ name }) => name.endsWith("Ms")));
});

test.each(["timeoutMs", "totalTimeoutMs", "maxRetries", "deprecations"] as const)(
  "the default of %s matches the client",
  (name) => {
    const settings = resolveOptions({ apiKey: "pst_test_key", baseUrl: "https://petstore.example/v1" });
    const value = settings[name];
    expect(rows.find((row) => row.name === name)?.defaultValue).toBe(
      typeof value === "number" ? String(value) : JSON.stringify(value),
    );
  },
);

function marked(name: string): string {
  if (ofCreation.some((option) => option.name === name)) return "`createPet`";
  return ofCall.some((option) => option.name === name) ? "yes" : "no";
}
