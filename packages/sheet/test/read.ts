import {
  noAnswers,
  openSheet,
  readSheet,
  reasonOf,
  type Answers,
  type Sheet,
} from "../src/index.ts";

export const categories = new Map<string, [string, ...string[]]>([
  ["1", ["Dogs"]],
  ["2", ["Cats"]],
]);

/** Reads the text of a file. */
export async function readText(text: string, answers: Partial<Answers> = {}): Promise<Sheet> {
  const { tables } = await openSheet(new TextEncoder().encode(text));
  return readSheet(tables[0], categories, { ...noAnswers, ...answers });
}

/** The names and statuses of the animals. */
export function animalsOf({ animals }: Sheet): string[] {
  return animals.map(({ fields }) => `${fields.name} ${fields.status}`);
}

/** The rows that are no animals, with the field and the reason. */
export function reasonsOf({ problems }: Sheet): (string | number)[][] {
  return problems.map((each) => [each.row, each.field, reasonOf(each)]);
}
