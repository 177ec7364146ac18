import { toWorkbook, type WorkbookCell, type WorkbookSheet } from "./workbook.ts";

/** A made-up file in the shape of a file that shelters have, and what it must come to. */
export interface SheetShape {
  name: string;
  fileName: string;
  bytes: Uint8Array;
  /** The text of PETSTORE_CATEGORY_NAMES. */
  categories: string;
  /** What a person has to answer. The type is the reader's. */
  answers: {
    columns: Partial<Record<"name" | "categoryId" | "status", string>>;
    values: Partial<Record<"categoryId" | "status", Record<string, string>>>;
    withoutName?: string;
  };
  /**
   * How many questions a person is asked: one for each column, one for all values without a meaning, one for all animals without a name,
   * and one for the encoding.
   */
  questions: number;
  /** What must be added, in the order of the rows. */
  animals: { name: string; categoryId: string; status: string }[];
  /** How many rows are left out, by what their status means. */
  leftOut: number;
  /** How many rows are no animals. */
  rejected: number;
}

type Field = "id" | "name" | "kind" | "outcome" | "breed" | "color" | "date" | "age" | "note" | "nothing";
type AnimalRecord = Record<Field, string>;

export interface Design {
  name: string;
  /** The columns in order, `header=field`. */
  columns: string;
  /** The category of each word for a kind. */
  kinds: Record<string, string>;
  /** The status of each word for an outcome; `skip` for rows that must be left out. */
  outcomes?: Record<string, string>;
  rows?: number;
  names?: string;
  /** The share of animals without a name. */
  nameless?: number;
  /** Animals without a name have their id for one, because the answers say so. */
  isNamedById?: true;
  answers?: Partial<SheetShape["answers"]>;
  questions: number;
  write: (header: string[], rows: WorkbookCell[][]) => Uint8Array;
  extension?: string;
}

const categories = "1=Dogs,2=Cats,3=Rabbits,4=Birds,5=Other";
const western =
  "Bella Luna Max Charlie Milo Daisy Rocky Coco Nala Simba Ginger Oreo Pepper Willow Shadow Ziggy Zoë Jürgen Bjørn Señorita Käthe Amélie";
export const turkish = "Şeker Pamuk Boncuk Çakıl İnci Duman Karamel Tarçın Paşa Zeytin Fındık Üzüm";
export const cyrillic = "Барсик Мурка Рекс Шарик Снежок Рыжик Тишка Жучка Дымок Ёлка Пушок Лапка";

/** Names that stand in every file. */
const odd = [
  "  Peaches ",
  "202",
  "007",
  "null",
  '"Rex" the dog',
  'Mr. "T" Bone',
  "Duke, the 2nd",
  "Salt; Pepper",
  "O'Malley",
  "-",
  "'Tis",
  "Named by Mia, who is 7: ".padEnd(114, "Fluffy"),
];

/** Numbers from 0 to 1 that are the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function invent(design: Design, seed: number): AnimalRecord[] {
  const { rows = 80, kinds, outcomes = { "": "" }, nameless = 0.3, names = western } = design;
  const random = seeded(seed);
  const pick = (words: readonly string[], power = 1): string =>
    words[Math.floor(random() ** power * words.length)] ?? "";
  /** Each word once, and then mostly the first ones: dogs and cats, adoptions. */
  const next = (words: readonly string[], at: number): string => words[at] ?? pick(words, 4);
  const name = (): string => (random() < 0.5 ? "" : `${pick(names.split(" "))} `) + pick(names.split(" "));
  return Array.from({ length: rows }, (_, at) => ({
    id: String(100_200 + at * 37),
    name: random() < nameless ? (["", "  "][at % 2] ?? "") : (odd[at - 5] ?? name()),
    kind: next(Object.keys(kinds), at),
    outcome: next(Object.keys(outcomes), at),
    breed: pick(["Domestic Shorthair", "Labrador Retriever", "Pit Bull", "Chihuahua", "German Shepherd"]),
    color: pick(["Black", "Brown Tabby", "White/Tan", "Calico"]),
    date: `2026-03-${String(1 + (at % 28)).padStart(2, "0")}`,
    age: String(1 + Math.floor(random() * 14)),
    note: pick(["", "Shy, needs time", 'Says "hi"\nto everyone']),
    nothing: "",
  }));
}

export function toShape(design: Design, index: number): SheetShape {
  const { name, kinds, outcomes = { "": "available" }, isNamedById, questions, extension = "csv" } = design;
  const columns = design.columns.split("|").map((column) => column.split("=") as [header: string, field: Field]);
  const hasNames = columns.some(([, field]) => field === "name");
  const records = invent(design, index + 1);
  const rows = records.map((record) => columns.map(([, field]) => record[field]));
  const found = records.map((record) => ({
    name: (hasNames ? record.name.trim() : "") || (isNamedById ? record.id : ""),
    categoryId: kinds[record.kind] ?? "",
    status: outcomes[record.outcome] ?? "",
  }));
  const kept = found.filter(({ status }) => status !== "skip");
  const animals = kept.filter((animal) => animal.name !== "");
  return {
    name,
    fileName: `${name.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}.${extension}`,
    bytes: design.write(
      columns.map(([header]) => header),
      rows,
    ),
    categories,
    answers: { columns: {}, values: {}, ...design.answers },
    questions,
    animals,
    leftOut: found.length - kept.length,
    rejected: kept.length - animals.length,
  };
}

interface Text {
  separator?: string;
  encoding?: "utf-8" | "utf-8 with a mark" | "utf-16le" | "windows-1251" | "windows-1252" | "macintosh";
  lineEnd?: string;
  areAllQuoted?: boolean;
  /** What stands above the names of the columns. */
  above?: string;
  isHeadless?: boolean;
}

export function text(options: Text = {}): Design["write"] {
  const { separator = ",", encoding = "utf-8", lineEnd = "\n", above = "" } = options;
  const isQuoted = (cell: string) => options.areAllQuoted || cell.includes(separator) || /[\r\n"]/.test(cell);
  const toCell = (cell: string): string => (isQuoted(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const toLine = (cells: string[]): string => cells.map((cell) => toCell(cell)).join(separator) + lineEnd;
  return (header, rows) => {
    const lines = [...(options.isHeadless ? [] : [header]), ...(rows as string[][])].map((cells) => toLine(cells));
    return encode(above + lines.join(""), encoding);
  };
}

function encode(content: string, encoding: NonNullable<Text["encoding"]>): Uint8Array {
  if (encoding === "utf-8") return Uint8Array.from(Buffer.from(content));
  if (encoding === "utf-8 with a mark") return Uint8Array.from(Buffer.from(`\uFEFF${content}`));
  if (encoding === "utf-16le") return Uint8Array.from(Buffer.from(`\uFEFF${content}`, "utf16le"));
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from(content, (character) => {
    const byte = bytes.get(character);
    if (byte === undefined) throw new RangeError(`${encoding} has no ${character}`);
    return byte;
  });
}

interface Workbook {
  before?: WorkbookSheet[];
  after?: WorkbookSheet[];
  isInline?: boolean;
  isWithoutPlaces?: boolean;
  /** Ids and ages are numbers, dates are dates, and a formula that failed stands for a name. */
  isTyped?: boolean;
}

export function workbook({ before = [], after = [], isTyped, ...options }: Workbook): Design["write"] {
  const toCell = (cell: WorkbookCell): WorkbookCell => {
    if (!isTyped || typeof cell !== "string") return cell;
    if (cell.startsWith("2026-03-")) return { date: 46_081 + Number(cell.slice(-2)) };
    if (/^[1-9]\d*$/.test(cell)) return { number: cell };
    return cell === "  " ? { error: "#N/A" } : cell;
  };
  return (header, rows) => {
    const typed = rows.map((cells) => cells.map((cell) => toCell(cell)));
    return toWorkbook([...before, { name: "Animals", rows: [header, ...typed] }, ...after], options);
  };
}
