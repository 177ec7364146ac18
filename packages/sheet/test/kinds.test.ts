import { toWorkbook, zip } from "@petstore/test-sheets/workbook";
import { expect, test } from "vitest";
import { openSheet, type NoSheet } from "../src/index.ts";

const rex = [["Rex", "Dog"]];

/** A compound file ([MS-CFB]) with the directory entries that tell what it is. */
function compound(...names: string[]): Uint8Array {
  const file = Buffer.alloc(512 + 128 * (names.length + 1));
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(file);
  for (const [at, name] of ["Root Entry", ...names].entries()) {
    const entry = file.subarray(512 + 128 * at, 640 + 128 * at);
    entry.write(name, "utf16le");
    entry.writeUInt16LE(2 * name.length + 2, 64);
    entry.writeUInt8(at === 0 ? 5 : 2, 66); // the root, or a stream
  }
  return Uint8Array.from(file);
}

const xml = '<?xml version="1.0" encoding="UTF-8"?>\n';
const openDocument = "application/vnd.oasis.opendocument";
const flat = (type: string): string =>
  `${xml}<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:mimetype="${openDocument}.${type}"/>`;
const types = { "[Content_Types].xml": "<Types/>" };

test.each<[kind: NoSheet, name: string, file: string | Uint8Array]>([
  [
    "protected workbook",
    "a workbook with a password",
    compound("EncryptionInfo", "EncryptedPackage"),
  ],
  ["old workbook", "a workbook of Excel 97", compound("Workbook", "EncryptedPackage")],
  ["old workbook", "a workbook of Excel 95", compound("Book")],
  ["document", "a document of Word 97", compound("WordDocument", "Workbook")],
  ["other", "a letter of Outlook", compound("__properties_version1.0")],
  [
    "opendocument",
    "an OpenDocument spreadsheet",
    zip({ mimetype: `${openDocument}.spreadsheet`, "content.xml": "" }),
  ],
  [
    "opendocument",
    "a template of OpenDocument",
    zip({ mimetype: `${openDocument}.spreadsheet-template` }, { isCompressed: true }),
  ],
  [
    "opendocument",
    "a spreadsheet of OpenOffice 1",
    zip({ mimetype: "application/vnd.sun.xml.calc" }),
  ],
  ["opendocument", "a flat OpenDocument spreadsheet", flat("spreadsheet")],
  ["document", "an OpenDocument text", zip({ mimetype: `${openDocument}.text` })],
  ["document", "a flat OpenDocument text", flat("text")],
  ["document", "a document of Word", zip({ ...types, "word/document.xml": "" })],
  ["document", "slides of PowerPoint", zip({ ...types, "ppt/presentation.xml": "" })],
  ["document", "RTF", "{\\rtf1\\ansi{\\fonttbl}\n{Rex}\n}"],
  [
    "document",
    "XML of Word 2003",
    `${xml}<?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>`,
  ],
  ["binary workbook", "XLSB", zip({ ...types, "xl/workbook.bin": "" })],
  ["numbers", "Apple Numbers", zip({ "Index/Document.iwa": "", "Data/a.png": "" })],
  [
    "xml workbook",
    "XML of Excel 2003",
    `${xml}<?mso-application progid="Excel.Sheet"?>\n<ss:Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"/>`,
  ],
  [
    "xml workbook",
    "XML of Excel 2003 without its instruction",
    '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
  ],
  ["xml", "other XML", `${xml}<animals><animal name="Rex"/></animals>`],
  [
    "html",
    "a web page of Excel",
    '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><table><tr><td>Rex</td></tr></table></body></html>',
  ],
  ["html", "XHTML", `${xml}<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"/>`],
  ["html", "a table", "\uFEFF\n<TABLE><tr><td>Rex</td></tr></TABLE>"],
  ["html", "a web page in one file", "MIME-Version: 1.0\r\nX-Document-Type: Workbook\r\n"],
  ["link", "a link to Google Sheets", '{"url":"https://docs.google.com/open?id=1","doc_id":"1"}'],
  ["pdf", "PDF", "%PDF-1.7\n"],
  ["archive", "a ZIP archive of a sheet", zip({ "animals.csv": "Rex,Dog\n" })],
  ["archive", "gzip", Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0)],
  ["archive", "7-Zip", Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c)],
  ["json", "JSON", '{"name":"Rex"}'],
])("%s: %s", async (kind, _, file) => {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  await expect(openSheet(bytes)).rejects.toMatchObject({ kind });
});

test("text that begins with a smaller-than sign is no web page", async () => {
  const { tables } = await openSheet(new TextEncoder().encode("<3 Rex,Dog\n"));
  expect(tables[0].rows).toEqual([["<3 Rex", "Dog"]]);
});

test.each(["chartsheet", "dialogsheet", "xlMacrosheet"] as const)(
  "reads the tables beside a %s",
  async (kind) => {
    const sheets = [
      { name: "Figures", kind, rows: [] },
      { name: "Animals", rows: rex },
      { name: "A & <B>", kind, rows: [] },
      { name: "Birds", rows: [["Kiwi"]] },
    ];
    const { tables } = await openSheet(toWorkbook(sheets));
    expect(tables).toEqual([
      { name: "Animals", rows: rex },
      { name: "Birds", rows: [["Kiwi"]] },
    ]);
  },
);

test("empty: a workbook of charts only", async () => {
  const sheets = [{ name: "Figures", kind: "chartsheet" as const, rows: [] }];
  await expect(openSheet(toWorkbook(sheets))).rejects.toMatchObject({ kind: "empty" });
});

test("names the hidden sheets that have values, with their rows", async () => {
  const { tables, hidden } = await openSheet(
    toWorkbook([
      { name: "Animals", rows: rex },
      { name: 'Old "cats" & dogs', isHidden: true, rows: [["Name"], ["Rex"], ["Max"]] },
      { name: "Nothing", isHidden: true, rows: [[], []] },
    ]),
  );
  expect(tables.map(({ name }) => name)).toEqual(["Animals"]);
  expect(hidden).toEqual([{ name: 'Old "cats" & dogs', rows: 3 }]);
});
