import { SheetError, type HiddenSheet } from "./table.ts";
import { countIn, textOf, type Part } from "./zip.ts";

/** What a workbook says of its sheets, before the cells of any are read. */
export interface ListedSheets {
  /**
   * The names of those without a table: a chart, a dialog, or macros of an old Excel. The reader of
   * sheets fails at them.
   */
  withoutTable: ReadonlySet<string>;
  hidden: HiddenSheet[];
  /** The parts of those with a table, by their names. */
  tables: ReadonlyMap<string, Part>;
}

const rowElement = /<(?:[\w.-]{1,40}:)?row[\s/>]/g;
const valueElement = /<(?:[\w.-]{1,40}:)?(?:v|is)[\s>]/g;

/**
 * Finds the sheets, as the parts of a workbook refer to each other (ECMA-376, part 2, 9.3). @throws
 * {SheetError} if it is damaged
 */
export async function listSheets(parts: readonly Part[]): Promise<ListedSheets> {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const root = await elementsOf(byName.get("_rels/.rels"), "Relationship");
  const workbook = pathFrom(
    "",
    root.find((relation) => isOf(relation, "officeDocument"))?.get("Target"),
  );
  const [, folder = "", file = ""] = /^(.*\/)?([^/]*)$/.exec(workbook) ?? [];
  const relations = await elementsOf(byName.get(`${folder}_rels/${file}.rels`), "Relationship");
  const byId = new Map(relations.map((relation) => [relation.get("Id"), relation]));
  const withoutTable = new Set<string>();
  const hiddenParts = new Map<Part, string>();
  const tables = new Map<string, Part>();
  for (const sheet of await elementsOf(byName.get(workbook), "sheet")) {
    const name = sheet.get("name") ?? "";
    const relation = byId.get(sheet.get(":id"));
    const part = byName.get(pathFrom(folder, relation?.get("Target")));
    if (relation && !isOf(relation, "worksheet")) {
      withoutTable.add(name);
      continue;
    }
    if (part) tables.set(name, part);
    if (part && /hidden$/i.test(sheet.get("state") ?? "")) hiddenParts.set(part, name);
  }
  const hidden: HiddenSheet[] = [];
  for (const [part, name] of hiddenParts)
    if ((await countIn(part, valueElement)) > 0)
      hidden.push({ name, rows: await countIn(part, rowElement) });
  return { withoutTable, hidden, tables };
}

/** A cell with a value in the first 256 columns. */
const valueInRow =
  /<(?:[\w.-]{1,20}:)?c\s[^>]{0,40}?\br="(?:[A-Z]|[A-H][A-Z]|I[A-V])(\d{1,7})"[^>]{0,30}>\s*<(?:[\w.-]{1,20}:)?(?:v|is)[\s>]/g;

/** Whether a sheet has a value below so many rows, in a column that is looked at. */
export async function hasValueBelow(part: Part, rows: number): Promise<boolean> {
  return (await countIn(part, valueInRow, (row) => Number(row) > rows)) > 0;
}

type Attributes = ReadonlyMap<string, string>;

/**
 * The attributes of each element with a name, whatever its prefix. The id of a relation keeps its
 * colon.
 */
async function elementsOf(part: Part | undefined, name: string): Promise<Attributes[]> {
  if (!part) throw new SheetError("damaged workbook");
  const element = new RegExp(
    String.raw`<(?:[\w.-]+:)?${name}((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))+)`,
    "g",
  );
  const found = (await textOf(part)).matchAll(element);
  return Array.from(found, ([, attributes = ""]) => {
    const pairs = attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
    return new Map(
      Array.from(pairs, ([, key = "", double, single]) => [
        key.replace(/^.*(?=:id$)/, ""),
        unescape(double ?? single ?? ""),
      ]),
    );
  });
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function unescape(text: string): string {
  return text.replaceAll(
    /&(?:#x([\da-f]{1,5})|#(\d{1,6})|(amp|lt|gt|quot|apos));/gi,
    (_, hex, decimal, entity) =>
      entity === undefined
        ? String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal))
        : (entities[entity] ?? ""),
  );
}

/** Whether a relation is of a type. The strict form of the standard has another address. */
function isOf(relation: Attributes, type: string): boolean {
  return relation.get("Type")?.endsWith(`/${type}`) === true;
}

/** The name of the part that a relation means, which may begin at the top. */
function pathFrom(folder: string, target = ""): string {
  const path: string[] = [];
  for (const step of (target.startsWith("/") ? target : folder + target).split("/")) {
    if (step === "..") path.pop();
    else if (step !== "" && step !== ".") path.push(step);
  }
  return path.join("/");
}
