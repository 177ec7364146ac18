#!/bin/sh
# hucre 1.0.0 throws for a whole workbook if one of its sheets is a chart sheet, which Excel makes with F11 (ECMA-376, part 1, 18.3).
# Ends with 1 if that has changed.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund hucre@1.0.0 fflate@0.8.2
cat >show.mjs <<'SCRIPT'
import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { readXlsx } from "hucre/xlsx";

const office = "http://schemas.openxmlformats.org";
const main = `xmlns="${office}/spreadsheetml/2006/main"`;
const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const relations = (...pairs) =>
  `<Relationships xmlns="${office}/package/2006/relationships">${pairs
    .map(
      ([kind, target], at) =>
        `<Relationship Id="rId${at + 1}" Type="${office}/officeDocument/2006/relationships/${kind}" Target="${target}"/>`,
    )
    .join("")}</Relationships>`;
const parts = {
  "[Content_Types].xml": `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/><Override PartName="/xl/chartsheets/sheet1.xml" ContentType="${type}.chartsheet+xml"/></Types>`,
  "_rels/.rels": relations(["officeDocument", "xl/workbook.xml"]),
  "xl/workbook.xml": `<workbook ${main} xmlns:r="${office}/officeDocument/2006/relationships"><sheets><sheet name="Animals" sheetId="1" r:id="rId1"/><sheet name="Chart" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": relations(["worksheet", "worksheets/sheet1.xml"], ["chartsheet", "chartsheets/sheet1.xml"]),
  "xl/worksheets/sheet1.xml": `<worksheet ${main}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Rex</t></is></c></row></sheetData></worksheet>`,
  "xl/chartsheets/sheet1.xml": `<chartsheet ${main}><sheetViews><sheetView workbookViewId="0"/></sheetViews></chartsheet>`,
};
const file = zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
const { version } = JSON.parse(readFileSync("node_modules/hucre/package.json", "utf8"));
console.log(`node ${process.version}, hucre ${version}`);
const show = async (options) =>
  readXlsx(file, options).then(
    ({ sheets }) => JSON.stringify(sheets.map(({ name, rows }) => [name, rows])),
    ({ name, message }) => `${name}: ${message}`,
  );
const all = await show();
const chosen = await show({ sheets: ["Animals"] });
console.log(`all sheets: ${all}`);
console.log(`only the table: ${chosen}`);
const isAsFound = all.includes('missing worksheet file for sheet "Chart"') && chosen === '[["Animals",[["Rex"]]]]';
console.log(isAsFound ? "as found" : "CHANGED");
process.exitCode = isAsFound ? 0 : 1;
SCRIPT
node show.mjs
