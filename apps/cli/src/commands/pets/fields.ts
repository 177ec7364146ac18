import type { NewPet, Pet, PetStatus } from "@petstore/client";
import {
  maxNameLength,
  maxReferenceLength,
  petStatuses,
  type FilterName,
} from "@petstore/contract/fields";
import { parseInt64, type Int64 } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { Option } from "commander";
import { UsageError } from "../../failure.ts";
import type { Column } from "../../output/table.ts";
import type { Style } from "../../types.ts";

const statusStyles: Readonly<Record<PetStatus, Style>> = {
  available: "green",
  pending: "yellow",
  sold: "dim",
};

/**
 * The column of each field in tables and CSV. A field without one is shown only where it is asked
 * for, such as with `--json`.
 */
const columnOf: Readonly<Record<keyof Pet, Column<Pet> | undefined>> = {
  id: { isNumber: true },
  name: { isFlexible: true },
  categoryId: { isNumber: true },
  status: { style: ({ status }) => statusStyles[status] },
  reference: { isOptional: true },
};

export const fields = Object.keys(columnOf);

export const columns = Object.fromEntries(
  Object.entries(columnOf).filter(
    (entry): entry is [string, Column<Pet>] => entry[1] !== undefined,
  ),
);

export const fieldOptions: Readonly<Record<keyof NewPet, Option>> = {
  name: new Option("--name <name>", `1 to ${maxNameLength} characters`),
  categoryId: new Option("--category-id <id>", "its category, a 64-bit integer").argParser(
    int64("--category-id"),
  ),
  status: statusOption("default available"),
  reference: new Option(
    "--reference <text>",
    `its number or code in your own program, 1 to ${maxReferenceLength} characters`,
  ),
};

export const changeOptions: typeof fieldOptions = {
  ...fieldOptions,
  status: statusOption("its new status"),
};

export const filterOptions: Readonly<Record<FilterName, Option>> = {
  categoryId: new Option("--category-id <id>", "only animals of this category").argParser(
    int64("--category-id"),
  ),
  status: statusOption("only animals with this status"),
  reference: new Option("--reference <text>", "only the animal with this reference"),
};

export function statusOption(description: string, name = "status"): Option {
  return new Option(`--${name} <status>`, description).choices(petStatuses);
}

/** Reads a 64-bit integer of the command line, so that a wrong one needs no key and no server. */
export function int64(name: string): (text: string) => Int64 {
  return (text) => {
    const value = parseInt64(text);
    if (value === undefined)
      throw new UsageError(`${name} ${expected.int64}`, "Use digits only, such as 1");
    return value;
  };
}
