import { existsSync, readFileSync } from "node:fs";
import { errors } from "@petstore/contract";
import { expect, test } from "vitest";
import { apiErrorClass } from "../src/errors.ts";
import { createPetstoreClient, isApiError } from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";

const location = new URL("../README.md", import.meta.url);
const readme = readFileSync(location, "utf8");

test("the README has at most 320 lines", () => {
  expect(readme.split("\n").length - 1).toBeLessThanOrEqual(320);
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

test("the table of retries lists exactly the retried statuses", async () => {
  const row = /^\| (408, [\d, –]+)\|/m.exec(readme)?.[1] ?? "";
  const listed = row.split(", ").flatMap((part) => {
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
  // 409 has its own row in the table.
  expect(retried.filter((status) => status !== 409)).toStrictEqual(listed);
});

function expectApiError(error: unknown): void {
  expect(isApiError(error)).toBe(true);
}
