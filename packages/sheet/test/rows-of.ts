import { openSheet } from "../src/index.ts";

export async function rowsOf(text: string): Promise<readonly (readonly string[])[]> {
  const { tables } = await openSheet(new TextEncoder().encode(text));
  return tables[0].rows;
}
