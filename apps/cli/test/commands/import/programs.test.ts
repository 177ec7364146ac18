import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { programShapes } from "@petstore/test-sheets/programs";
import type { SheetShape } from "@petstore/test-sheets/shape";
import { categories } from "@petstore/test-sheets/sheets";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { stored, summary } from "../../support/import-desk.ts";

/** What a person has decided, as options. */
function optionsOf({
  columns = {},
  values = {},
}: NonNullable<SheetShape["answers"]> = {}): string[] {
  const word = { name: "name", categoryId: "category", status: "status", reference: "reference" };
  return [
    ...Object.entries(columns).map(([field, column]) => [
      `--${word[field as keyof typeof word]}-column`,
      column,
    ]),
    ...Object.entries(values).flatMap(([field, meanings]) =>
      Object.entries(meanings).map(([value, means]) => [
        `--${word[field as keyof typeof word]}`,
        `${value}=${means}`,
      ]),
    ),
  ].flat();
}

/** An animal of a shape in the form of `stored`. */
function toRow(animal: string): string {
  const [, name, categoryId, status] = /^(.*),(\d+),(\w+)$/.exec(animal) ?? [];
  return JSON.stringify({
    name,
    categoryId: Number(categoryId),
    ...(status !== "available" && { status }),
  });
}

test.for(programShapes)(
  "0: of $name, exactly the animals are stored, after at most three questions",
  async ({ bytes, answers, questions, animals, leftOut = 0 }, { server, desk }) => {
    expect(questions).toBeLessThanOrEqual(3);
    writeFileSync(join(desk.path, "animals.csv"), bytes);
    const ended = await desk.import([
      "animals.csv",
      "--categories",
      categories,
      ...optionsOf(answers),
    ]);
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout: summary(animals.length, 0, 0, { leftOut }),
    });
    expect(await stored(server)).toEqual(animals.map(toRow).toSorted());
  },
);
