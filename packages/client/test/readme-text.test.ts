import { existsSync, readFileSync } from "node:fs";
import { errors } from "@petstore/contract";
import { describe, expect, test } from "vitest";
import { apiErrorClass } from "../src/errors.ts";
import { createPetstoreClient, isApiError } from "../src/index.ts";
import { resolveOptions } from "../src/settings.ts";
import { createPetstoreFake } from "../src/testing.ts";

const location = new URL("../README.md", import.meta.url);
const readme = readFileSync(location, "utf8");

test("the README has at most 240 lines", () => {
  expect(readme.split("\n").length - 1).toBeLessThanOrEqual(240);
});

test("every link within the repository has a target", () => {
  const headings = [...readme.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
  const targets = [...readme.matchAll(/\]\((?!https:)([^)]*)\)/g)].map(([, target = ""]) => target);
  const isThere = (target: string): boolean =>
    target.startsWith("#") ? headings.includes(target.slice(1)) : existsSync(new URL(target, location));
  expect(targets.length).toBeGreaterThan(0);
  expect(targets.filter((target) => !isThere(target))).toStrictEqual([]);
});

test.each(Object.entries(errors))("%s is in the tree of errors, under its class", (code, { status }) => {
  const { name } = apiErrorClass(status);
  const branch = new RegExp(`─ ${name} [^─]*`).exec(readme)?.[0];
  const listed = [...(branch ?? "").matchAll(/(\d{3}) ([a-z_, ]+)/g)].flatMap(([, number, codes = ""]) =>
    codes.split(", ").map((each) => `${number} ${each.trim()}`),
  );
  expect(listed).toContain(`${status} ${code}`);
});

test("the list of retries names exactly the retried statuses", async () => {
  const row = /\b408, [\d,\s–]+\d/.exec(readme)?.[0] ?? "";
  const listed = row.split(/,\s/).flatMap((part) => {
    const [first = 0, last = first] = part.split("–").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  const retried: number[] = [];
  for (let status = 400; status < 600; status++) {
    const petstore = createPetstoreFake();
    const clock = { ...petstore.clock, random: () => 0 };
    petstore.faults.push({ status });
    await createPetstoreClient({ ...petstore, clock })
      .listPets()
      .then(undefined, expectApiError);
    if (petstore.requests.length > 1) retried.push(status);
  }
  // 409 is retried only with one code.
  expect(retried.filter((status) => status !== 409)).toStrictEqual(listed);
});

function expectApiError(error: unknown): void {
  expect(isApiError(error)).toBe(true);
}

describe("the table of options", () => {
  const source = readFileSync(new URL("../src/options.ts", import.meta.url), "utf8");
  const section = /^## Options$.*?(?=^## )/ms.exec(readme)?.[0] ?? "";
  const rows = [...section.matchAll(/^\| `(\w+)` .*$/gm)].map(([row, name = ""]) => {
    const [, , defaultValue, perCall, meaning] = row.split("|").map((cell) => cell.trim());
    return { name, defaultValue: defaultValue?.replaceAll("`", ""), perCall, meaning };
  });

  /** The members of an interface in the source, with the `@default` of their comments. */
  function membersOf(name: string): [name: string, defaultValue: string | undefined][] {
    const body = new RegExp(`^export interface ${name}\\b.*?^\\}`, "ms").exec(source)?.[0] ?? "";
    const members = [...body.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s+(\w+)\?:/gs)];
    return members
      .filter(([, comment = ""]) => !comment.includes("@internal"))
      .map(([, comment = "", member = ""]) => [member, /@default (.*)/.exec(comment)?.[1]?.replaceAll("`", "")]);
  }

  const parts = ["PetstoreClientOptions", "RequestOptions", "CreateOptions", "UpdateOptions"].map(membersOf);
  const [, ofCall = [], ofCreation = [], ofUpdate = []] = parts.map((members) => members.map(([name]) => name));

  test("has exactly one row for each option, with the default of its doc comment", () => {
    expect(parts.map((members) => members.length > 0)).not.toContain(false);
    const documented = Map.groupBy(parts.flat(), ([name]) => name);
    const expected = [...documented].map(([name, members]) => [name, members.find(([, value]) => value)?.[1]]);
    expect(rows.map(({ name, defaultValue }) => [name, defaultValue])).toStrictEqual(expected);
    expect(expected.filter(([, value]) => value === undefined)).toStrictEqual([]);
    expect(rows.filter(({ meaning }) => meaning === "")).toStrictEqual([]);
  });

  test("marks the options of a call", () => {
    const marks = rows.map(({ name }) => {
      if (ofCreation.includes(name)) return "writes";
      if (ofUpdate.includes(name)) return "changes";
      return ofCall.includes(name) ? "yes" : "no";
    });
    expect(rows.map((row) => row.perCall)).toStrictEqual(marks);
  });

  test("has the defaults of the client", () => {
    const settings = resolveOptions({ apiKey: "pst_test_key", baseUrl: "https://petstore.example/v1" });
    const { timeoutMs, maxRetries, int64 } = settings;
    for (const [name, value] of Object.entries({ timeoutMs, maxRetries, int64 })) {
      const shown = typeof value === "number" ? String(value) : JSON.stringify(value);
      expect(rows.find((row) => row.name === name)?.defaultValue).toBe(shown);
    }
  });
});
