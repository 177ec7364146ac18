#!/bin/sh
# hucre 1.0.0 loses the text of a formula in an XLS file if an ARRAY or SHRFMLA record stands between the FORMULA record and its STRING
# record, where [MS-XLS] puts it: the cell is missing, without an error. Ends with 1 if that has changed.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund hucre@1.0.0
cat >show.mjs <<'SCRIPT'
import { readFileSync, writeFileSync } from "node:fs";
import { readXls } from "hucre/xlsx";

const u16 = (...numbers) => Buffer.concat(numbers.map((number) => Buffer.from([number & 255, number >> 8])));
const record = (id, ...data) => {
  const body = Buffer.concat(data);
  return Buffer.concat([u16(id, body.length), body]);
};
const bof = (type) => record(0x809, u16(0x600, type, 0x0dbb, 0x07cc), Buffer.alloc(8));
const eof = record(0x0a);
const text = (value) => Buffer.concat([u16(value.length), Buffer.from([0]), Buffer.from(value, "latin1")]);
const label = (row, value) => record(0x204, u16(row, 0, 0), text(value));
// The result is a text in the next STRING record.
const formula = (row, tokens) =>
  record(0x06, u16(row, 0, 0), Buffer.from([0, 0, 0, 0, 0, 0, 255, 255]), Buffer.alloc(6), u16(tokens.length), tokens);
const constant = Buffer.concat([Buffer.from([0x17, 7, 0]), Buffer.from("Adopted")]);
const sheet = Buffer.concat([
  bof(0x10),
  record(0x200, u16(0, 0, 4, 0, 0, 1, 0)), // its size
  label(0, "Status"),
  formula(1, constant),
  record(0x207, text("Adopted")),
  formula(2, Buffer.from([1, 2, 0, 0, 0])),
  record(0x221, u16(2, 2, 0, 0), Buffer.alloc(4), u16(constant.length), constant),
  record(0x207, text("Adopted")),
  label(3, "Available"),
  eof,
]);
const head = (position) =>
  Buffer.concat([bof(0x05), record(0x85, u16(position, 0, 0), Buffer.from([7, 0]), Buffer.from("Animals")), eof]);
const stream = Buffer.alloc(4096);
Buffer.concat([head(head(0).length), sheet]).copy(stream);

// A compound file ([MS-CFB]) with one stream: a sector of the allocation table, one of the directory, and eight of the stream.
const file = Buffer.alloc(512 * 11, 0);
Buffer.from("d0cf11e0a1b11ae1", "hex").copy(file);
u16(0x3e, 3, 0xfffe, 9, 6).copy(file, 24);
file.writeUInt32LE(1, 44);
file.writeUInt32LE(1, 48);
file.writeUInt32LE(4096, 56);
for (const at of [60, 68]) file.writeUInt32LE(0xfffffffe, at);
file.fill(255, 76, 512);
file.writeUInt32LE(0, 76);
file.fill(255, 512, 1024);
const chain = [0xfffffffd, 0xfffffffe, 3, 4, 5, 6, 7, 8, 9, 0xfffffffe];
for (const [at, next] of chain.entries()) file.writeUInt32LE(next, 512 + 4 * at);
for (const [at, [name, type, child, start, size]] of [
  ["Root Entry", 5, 1, 0xfffffffe, 0],
  ["Workbook", 2, 0xffffffff, 2, 4096],
].entries()) {
  const entry = file.subarray(1024 + 128 * at, 1152 + 128 * at);
  entry.write(name, "utf16le");
  u16(2 * name.length + 2).copy(entry, 64);
  entry[66] = type;
  entry[67] = 1;
  entry.fill(255, 68, 76);
  entry.writeUInt32LE(child, 76);
  entry.writeUInt32LE(start, 116);
  entry.writeUInt32LE(size, 120);
}
stream.copy(file, 1536);
if (process.argv[2]) writeFileSync(process.argv[2], file);

const { version } = JSON.parse(readFileSync("node_modules/hucre/package.json", "utf8"));
console.log(`node ${process.version}, hucre ${version}`);
const { sheets } = await readXls(new Uint8Array(file));
const rows = JSON.stringify(Array.from(sheets[0].rows, (row) => row ?? null));
console.log(`rows: ${rows}`);
const isAsFound = rows === '[["Status"],["Adopted"],null,["Available"]]';
console.log(isAsFound ? "as found" : "CHANGED");
process.exitCode = isAsFound ? 0 : 1;
SCRIPT
node show.mjs "$@"
