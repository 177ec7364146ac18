import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseInt64, stringifyJson } from "@petstore/contract/int64";
import type { SheetShape } from "@petstore/test-sheets/sheet-generator";
import { sheetShapes } from "@petstore/test-sheets/sheets";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { stored } from "../../support/import-desk.ts";

/** The options that answer as a person would. */
function optionsOf({ answers: { columns, values, withoutName } }: SheetShape): string[] {
  const words = { name: "name", categoryId: "category", status: "status" } as const;
  const given = Object.entries(columns).flatMap(([field, column]) =>
    column === "" ? [] : [`--${words[field as keyof typeof words]}-column`, column],
  );
  for (const [field, meanings] of Object.entries(values))
    for (const [value, means] of Object.entries(meanings))
      given.push(
        `--${words[field as keyof typeof words]}`,
        columns[field as keyof typeof words] === "" ? means : `${value}=${means}`,
      );
  return withoutName === undefined ? given : [...given, "--without-name", withoutName];
}

test.for(sheetShapes.map((shape) => [shape.name, shape] as const))(
  "a shelter's file becomes the animals that stand in it: %s",
  async ([, shape], { server, desk }) => {
    writeFileSync(join(desk.path, shape.fileName), shape.bytes);
    const args = [shape.fileName, "--categories", shape.categories, ...optionsOf(shape)];
    let ended = await desk.import(args);
    const [, encoding] = /It is not certain how .* probably as (\S+)/.exec(ended.stderr) ?? [];
    if (encoding !== undefined) ended = await desk.import([...args, "--encoding", encoding]);
    const animals = shape.animals.map(({ name, categoryId, status }) =>
      stringifyJson({ name, categoryId: parseInt64(categoryId), ...(status !== "available" && { status }) }),
    );
    expect(await stored(server)).toEqual(animals.toSorted());
    if (shape.animals.length === 0) return expect(ended).toMatchObject({ stdout: "", exitCode: 2 });
    const { leftOut, rejected } = shape;
    expect(ended.exitCode).toBe(rejected > 0 ? 1 : 0);
    expect(JSON.parse(ended.stdout)).toEqual({
      added: animals.length,
      alreadyAdded: 0,
      rejected,
      ...(leftOut > 0 && { leftOut }),
    });
  },
);
