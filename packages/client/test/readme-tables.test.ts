import { readFileSync } from "node:fs";
import { errors } from "@petstore/contract";
import { describe, expect, test } from "vitest";
import { apiErrorClass } from "../src/errors.ts";
import { resolveOptions } from "../src/resolve-options.ts";
import { errorResponse, failure, scriptedClient } from "./scripted-client.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../README.md");

test("every error is in the tree of errors, under its class", () => {
  const listed = [...readme.matchAll(/─ (\w+Error) +((?:[^─]*?\b\d{3} [a-z_, ]+)+)/g)].flatMap(
    ([, name, branch = ""]) =>
      [...branch.matchAll(/(\d{3}) ([a-z_, ]+)/g)].flatMap(([, status, codes = ""]) =>
        codes.split(", ").map((code) => `${name} ${status} ${code.trim()}`),
      ),
  );
  const expected = Object.entries(errors).map(
    ([code, { status }]) => `${apiErrorClass(status).name} ${status} ${code}`,
  );
  expect(listed).toStrictEqual(expect.arrayContaining(expected));
});

test("the list of retries names exactly the retried statuses, but for 409, which is retried with one code", async () => {
  const row = /\b408, [\d,\s–]+\d/.exec(readme)?.[0] ?? "";
  const ranges = row.split(/,\s/).map((part) => part.split("–").map(Number));
  for (let status = 400; status < 600; status++) {
    const {
      client: petstore,
      clock,
      requests,
    } = scriptedClient(errorResponse(status, "a_code"), { maxRetries: 1 });
    await failure(clock.settle(petstore.listPets()));
    const isListed = ranges.some(([first = 0, last = first]) => first <= status && status <= last);
    expect({ status, isRetried: requests.length > 1 }).toStrictEqual({
      status,
      isRetried: isListed,
    });
  }
});

describe("the table of options", () => {
  const source = read("../src/options.ts");
  const section = /^## Options$.*?(?=^## )/ms.exec(readme)?.[0] ?? "";
  const rows = [...section.matchAll(/^\| `(\w+)` +\| (.*?) +\| (\w+) +\| \S/gm)].map((row) =>
    row.slice(1).map((cell) => cell.replaceAll("`", "")),
  );

  test("has exactly one row for each option, with the default of its doc comment, and the calls that take it", () => {
    const calls = {
      PetstoreClientOptions: "no",
      RequestOptions: "yes",
      CreateOptions: "writes",
      UpdateOptions: "changes",
    };
    const documented = new Map<string, string[]>();
    for (const [type, perCall] of Object.entries(calls)) {
      const body = new RegExp(`^export interface ${type}\\b.*?^\\}`, "ms").exec(source)?.[0] ?? "";
      for (const [, comment = "", name = ""] of body.matchAll(
        /\/\*\*((?:(?!\*\/).)*)\*\/\s+(\w+)\?:/gs,
      )) {
        if (comment.includes("@internal")) continue;
        const value =
          /@default (.*)/.exec(comment)?.[1]?.replaceAll("`", "") ??
          documented.get(name)?.[1] ??
          "?";
        documented.set(name, [name, value, perCall]);
      }
    }
    expect(rows).toStrictEqual([...documented.values()]);
  });

  test("has the defaults of the client", () => {
    const { timeoutMs, maxRetries, int64 } = resolveOptions({
      apiKey: "key",
      baseUrl: "https://petstore.example/v1",
    });
    const defaults = {
      timeoutMs: `${timeoutMs}`,
      maxRetries: `${maxRetries}`,
      int64: `"${int64}"`,
    };
    expect(Object.fromEntries(rows)).toMatchObject(defaults);
  });
});
