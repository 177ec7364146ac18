import { crc32, deflateRawSync } from "node:zlib";

interface ZipOptions {
  isCompressed?: boolean;
  /** The unpacked size of an entry that the archive claims. */
  claim?: (size: number) => number;
}

/**
 * A ZIP archive (PKWARE APPNOTE, 4.3). Entries are stored as they are, unless they are to be
 * compressed.
 */
export function zip(
  files: Readonly<Record<string, string>>,
  { isCompressed = false, claim = (size) => size }: ZipOptions = {},
): Uint8Array {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const data = isCompressed ? deflateRawSync(bytes) : bytes;
    // Version, flags, method, time, date, CRC, both sizes, and the length of the name: the same in
    // both headers.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isCompressed ? 8 : 0, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(claim(bytes.length), 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    local.push(Buffer.from("PK\x03\x04"), common, Buffer.from(name), data);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.from("PK\x01\x02\x14\0"),
      common,
      rest.subarray(0, 14),
      Buffer.from(name),
    );
    offset += 30 + Buffer.byteLength(name) + data.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Uint8Array.from(Buffer.concat([...local, ...directory, Buffer.from("PK\x05\x06"), end]));
}

/**
 * A text, a number, or what only workbooks have. Numbers may have more digits than JavaScript's.
 */
export type WorkbookCell =
  | string
  | { number: string }
  | { date: number }
  | { error: string }
  /**
   * Its result is text, and the formula is that of an array of cells, perhaps. A program that
   * calculates nothing writes a formula without one.
   */
  | { formula: string; result?: string; array?: string };

export interface WorkbookSheet {
  name: string;
  isHidden?: boolean;
  /** What it is instead of a table of cells. */
  kind?: "chartsheet" | "dialogsheet" | "xlMacrosheet";
  rows: readonly (readonly WorkbookCell[])[];
  /** Texts below the rows, in the order of their rows, by their places: `XFD1048576`. */
  far?: Readonly<Record<string, string>>;
  /** Cells that are one: `B2:B4`. */
  merges?: readonly string[];
  /** The rows that are not shown, from 1. */
  hiddenRows?: readonly number[];
  /** How many elements give a column a width. */
  widths?: number;
}

interface WorkbookOptions extends ZipOptions {
  /**
   * Texts within their cells, not in a table of their own. Rows and cells do not say where they
   * stand.
   */
  isTerse?: boolean;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const office = "http://schemas.openxmlformats.org";
const main = `xmlns="${office}/spreadsheetml/2006/main"`;
const relations = (targets: readonly [type: string, target: string][]): string =>
  `${declaration}<Relationships xmlns="${office}/package/2006/relationships">${targets
    .map(([type, target], at) => {
      const owner =
        type === "xlMacrosheet"
          ? "http://schemas.microsoft.com/office"
          : `${office}/officeDocument`;
      const url = `${owner}/2006/relationships/${type}`;
      return `<Relationship Id="rId${at + 1}" Type="${url}" Target="${target}"/>`;
    })
    .join("")}</Relationships>`;

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/**
 * An XLSX file (ECMA-376), by hand: the library that reads sheets has no part in it. Empty cells
 * are left out.
 */
export function toWorkbook(
  sheets: readonly WorkbookSheet[],
  options: WorkbookOptions = {},
): Uint8Array {
  const { isTerse = false } = options;
  const texts = new Map<string, number>();

  function toCell(cell: WorkbookCell, place: string): string {
    if (cell === "") return isTerse ? "<c/>" : "";
    const at = isTerse ? "" : ` r="${place}"`;
    if (typeof cell !== "string") {
      if ("formula" in cell) {
        const array = cell.array === undefined ? "" : ` t="array" ref="${cell.array}"`;
        const value = cell.result === undefined ? "<v></v>" : `<v>${escape(cell.result)}</v>`;
        return `<c${at}${cell.result === undefined ? "" : ' t="str"'}><f${array}>${escape(cell.formula)}</f>${value}</c>`;
      }
      if ("date" in cell) return `<c${at} s="1"><v>${cell.date}</v></c>`;
      return "error" in cell
        ? `<c${at} t="e"><v>${cell.error}</v></c>`
        : `<c${at}><v>${cell.number}</v></c>`;
    }
    if (isTerse)
      return `<c${at} t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`;
    const index = texts.get(cell) ?? texts.size;
    texts.set(cell, index);
    return `<c${at} t="s"><v>${index}</v></c>`;
  }

  const parts = sheets.map(({ kind, rows, far = {}, widths = 0, merges = [], hiddenRows = [] }) => {
    if (kind === "chartsheet" || kind === "dialogsheet") return `${declaration}<${kind} ${main}/>`;
    const lines = rows.map((cells, row) => {
      const inner = cells
        .map((cell, at) => toCell(cell, `${String.fromCodePoint(65 + at)}${row + 1}`))
        .join("");
      const hidden = hiddenRows.includes(row + 1) ? ' hidden="1"' : "";
      return isTerse ? `<row>${inner}</row>` : `<row r="${row + 1}"${hidden}>${inner}</row>`;
    });
    for (const [place, text] of Object.entries(far))
      lines.push(`<row r="${/\d+/.exec(place)?.[0]}">${toCell(text, place)}</row>`);
    const merged =
      merges.length > 0
        ? `<mergeCells>${merges.map((range) => `<mergeCell ref="${range}"/>`).join("")}</mergeCells>`
        : "";
    const columns =
      widths > 0 ? `<cols>${'<col min="1" max="1" width="9"/>'.repeat(widths)}</cols>` : "";
    return `${declaration}<worksheet ${main}>${columns}<sheetData>${lines.join("")}</sheetData>${merged}</worksheet>`;
  });
  const names = sheets.map(
    ({ name, isHidden }, at) =>
      `<sheet name="${escape(name)}" sheetId="${at + 1}"${isHidden ? ' state="hidden"' : ""} r:id="rId${at + 1}"/>`,
  );
  const shared = Array.from(
    texts.keys(),
    (text) => `<si><t xml:space="preserve">${escape(text)}</t></si>`,
  );
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const types = [
    ["/xl/workbook.xml", "sheet.main"],
    ["/xl/styles.xml", "styles"],
    ["/xl/sharedStrings.xml", "sharedStrings"],
    ...parts.map((_, at) => [`/xl/worksheets/sheet${at + 1}.xml`, "worksheet"]),
  ].map(([part, name]) => `<Override PartName="${part}" ContentType="${type}.${name}+xml"/>`);
  const formats =
    '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs>';
  const files: Record<string, string> = {
    "[Content_Types].xml": `${declaration}<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${types.join("")}</Types>`,
    "_rels/.rels": relations([["officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `${declaration}<workbook ${main} xmlns:r="${office}/officeDocument/2006/relationships"><sheets>${names.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ...sheets.map(
        ({ kind }, at) =>
          [kind ?? "worksheet", `worksheets/sheet${at + 1}.xml`] as [string, string],
      ),
      ["styles", "styles.xml"],
      ["sharedStrings", "sharedStrings.xml"],
    ]),
    "xl/styles.xml": `${declaration}<styleSheet ${main}>${formats}</styleSheet>`,
    "xl/sharedStrings.xml": `${declaration}<sst ${main}>${shared.join("")}</sst>`,
  };
  for (const [at, part] of parts.entries()) files[`xl/worksheets/sheet${at + 1}.xml`] = part;
  return zip(files, options);
}
