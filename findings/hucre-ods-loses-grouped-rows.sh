#!/bin/sh
# hucre 1.0.0 reads from an OpenDocument sheet only the rows that are children of the table itself. Rows that are grouped, or repeated on
# each printed page, are in elements between (OpenDocument 1.3, part 3, 9.1.8 to 9.1.10): they are lost without an error. It also does not
# tell which rows and sheets are hidden. Ends with 1 if that has changed.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund hucre@1.0.0 fflate@0.8.2
cat >show.mjs <<'SCRIPT'
import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { readOds, streamOdsRows } from "hucre/ods";

const names = "urn:oasis:names:tc:opendocument:xmlns";
const row = (text, attributes = "") =>
  `<table:table-row${attributes}><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row>`;
const content = `<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="${names}:office:1.0" xmlns:style="${names}:style:1.0" xmlns:table="${names}:table:1.0" xmlns:text="${names}:text:1.0" office:version="1.3">
<office:automatic-styles><style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>
<office:body><office:spreadsheet>
<table:table table:name="Animals"><table:table-column/>
<table:table-header-rows>${row("Name")}</table:table-header-rows>
${row("Rex")}
<table:table-row-group>${row("Max, grouped")}</table:table-row-group>
<table:table-rows>${row("Mia, in table:table-rows")}</table:table-rows>
${row("Bella, hidden", ' table:visibility="collapse"')}
</table:table>
<table:table table:name="Secret" table:style-name="hidden"><table:table-column/>${row("Hidden sheet")}</table:table>
</office:spreadsheet></office:body></office:document-content>`;
const type = "application/vnd.oasis.opendocument.spreadsheet";
const manifest = `<manifest:manifest xmlns:manifest="${names}:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`;
const file = zipSync({
  mimetype: [strToU8(type), { level: 0 }],
  "content.xml": strToU8(content),
  "META-INF/manifest.xml": strToU8(manifest),
});
const { version } = JSON.parse(readFileSync("node_modules/hucre/package.json", "utf8"));
console.log(`node ${process.version}, hucre ${version}`);
const { sheets } = await readOds(file);
const streamed = [];
for await (const { values } of streamOdsRows(file)) streamed.push(values[0]);
console.log(`readOds: ${JSON.stringify(sheets)}`);
console.log(`streamOdsRows: ${JSON.stringify(streamed)}`);
const isAsFound =
  JSON.stringify(sheets) ===
    '[{"name":"Animals","rows":[["Rex"],["Bella, hidden"]]},{"name":"Secret","rows":[["Hidden sheet"]]}]' &&
  streamed.includes("Max, grouped");
console.log(isAsFound ? "as found" : "CHANGED");
process.exitCode = isAsFound ? 0 : 1;
SCRIPT
node show.mjs
