import {
  encodings,
  openSheet,
  SheetError,
  toEncoding,
  type Encoding,
  type NoSheet,
  type SheetFile,
  type Table,
} from "@petstore/sheet";
import { UsageError } from "../../../failure.ts";
import { brief } from "./rows.ts";
import type { SheetOptions } from "./sheet-options.ts";

/** @throws {UsageError} if there is no such encoding */
function readEncoding(label: string | undefined): Encoding | undefined {
  const found = label === undefined ? undefined : toEncoding(label);
  if (found !== undefined || label === undefined) return found;
  const usual = encodings.filter((encoding) => !encoding.startsWith("iso-8859"));
  throw new UsageError(
    `--encoding ${label} is not known`,
    `Use a name like ${usual.join(", ")}, iso-8859-2`,
  );
}

const noSheets: Readonly<Record<NoSheet, readonly [problem: string, hint: string]>> = {
  json: [
    "is JSON, but not one object per line",
    "Write one object per line: jq -c '.[]' FILE | petstore pets import - --import-id FILE",
  ],
  html: [
    "is a web page, whatever its name",
    "Open it in a spreadsheet, and save it as XLSX or CSV",
  ],
  xml: ["is XML, not a sheet", "Export it again from the program that wrote it, as XLSX or CSV"],
  "xml workbook": [
    "is an XML file of Excel 2003",
    "Open it in a spreadsheet, and save it as XLSX or CSV",
  ],
  "old workbook": [
    "is an old Excel file (XLS)",
    "Open it in a spreadsheet, and save it as XLSX or CSV",
  ],
  "binary workbook": [
    "is a binary Excel file (XLSB)",
    "Open it in Excel, and save it as XLSX or CSV",
  ],
  "protected workbook": [
    "is a workbook with a password",
    "Open it in a spreadsheet with the password, and save it as CSV, or as XLSX without a password",
  ],
  opendocument: [
    "is an OpenDocument file (ODS)",
    "Open it in LibreOffice, and save it as XLSX or CSV",
  ],
  numbers: [
    "is a file of Apple Numbers, Pages or Keynote",
    "Open it in Numbers, and export it as CSV or Excel (XLSX)",
  ],
  link: [
    "is only a link to a file in Google Drive",
    "Open it in Google Sheets, and download it as XLSX or CSV",
  ],
  document: [
    "is a document, such as of Word or RTF, not a sheet",
    "Copy its table to a spreadsheet, and save it as XLSX or CSV",
  ],
  pdf: ["is a PDF", "Export it again from the program that wrote it, as XLSX or CSV"],
  archive: ["is compressed", "Unpack it, and import the file in it"],
  "damaged workbook": [
    "is a damaged workbook",
    "Open it in a spreadsheet, and save it as XLSX or CSV",
  ],
  "large workbook": [
    "is a workbook of more than 256 MB, 200,000 rows, or 64 million characters",
    "Save its sheet as CSV",
  ],
  empty: ["has no rows", "Check that it is the right file"],
  other: ["is no sheet and no NDJSON", "Use CSV, XLSX or NDJSON"],
};

/** @throws {UsageError} if it is no sheet, or its encoding is not certain */
export async function openFile(
  file: string,
  bytes: Uint8Array,
  options: SheetOptions,
): Promise<SheetFile> {
  const opened = await openSheet(bytes, readEncoding(options.encoding), options.sheet).catch(
    (error: unknown) => {
      if (!(error instanceof SheetError)) throw error;
      const [problem, hint] = noSheets[error.kind];
      throw new UsageError(`${file} ${problem}`, hint);
    },
  );
  if (!opened.isUnsure) return opened;
  const { encoding: proposed, candidates = [], oddLine } = opened;
  if (oddLine !== undefined)
    throw new UsageError(
      `Line ${oddLine} of ${file} is not UTF-8, the others are`,
      "Save that line as UTF-8, or reject the rows that are not with --encoding utf-8",
      candidates.map((each) => `as ${each.encoding}: ${each.samples.map(brief).join(", ")}`),
    );
  throw new UsageError(
    `It is not certain how ${file} is encoded${proposed === undefined ? "" : `: probably as ${proposed}`}`,
    candidates.length === 0
      ? "Choose an encoding with --encoding"
      : "Choose the encoding whose names are right",
    candidates.map((each) => `--encoding ${each.encoding}: ${each.samples.map(brief).join(", ")}`),
  );
}

/** The sheet of a workbook that was named, or the first one with a column of names. */
export function chooseTable(
  file: string,
  { tables, hidden = [] }: SheetFile,
  name: string | undefined,
  hasNames: (table: Table) => boolean,
): Table {
  if (name === undefined) return tables.find(hasNames) ?? tables[0];
  const found = tables.find((table) => table.name === name);
  if (found) return found;
  const names = [...tables, ...hidden].map((table) => table.name);
  throw new UsageError(`${file} has no sheet ${name}`, `Its sheets: ${names.join(", ")}`);
}
