#!/bin/sh
# Node's TextDecoder("euc-kr") is not the decoder of the Encoding Standard, which is that of code page 949 (Windows in Korea).
# Of the 11,172 syllables of Korean, it reads the 2,350 of KS X 1001. Of the others it reads 2,349 as other characters, without an error
# even with { fatal: true }, and rejects 6,473. Its big5, euc-jp and shift_jis differ from the standard too.
#
# Known: https://github.com/nodejs/node/issues/61041 "TextDecoder is wrong and very slow", which lists the encodings, and
#        https://github.com/nodejs/node/issues/40091 for Big5. Both were open when this was written.
# So packages/sheet/src/legacy.ts decodes with @exodus/bytes in Node. In browsers, that package uses the browser's own decoder.
#
# Exit code 0: Node still differs. 1: it does not any more, and the package may go. Needs npm and Node 24 or newer, and nothing of ours.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @exodus/bytes@1.16.0
cat >compare.js <<'JS'
import { TextDecoder as Standard } from "@exodus/bytes/encoding.js";

console.log(`Node ${process.version}, ICU ${process.versions.icu}, @exodus/bytes 1.16.0`);

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
// The two areas of code page 949, each in the order of Unicode: the syllables of KS X 1001, and all others.
const ksx1001 = range(0xb0, 0xc8).flatMap((lead) => range(0xa1, 0xfe).map((trail) => [lead, trail]));
const others = range(0x81, 0xc6)
  .flatMap((lead) =>
    [...range(0x41, 0x5a), ...range(0x61, 0x7a), ...range(0x81, lead < 0xa1 ? 0xfe : 0xa0)].map((trail) => [lead, trail]),
  )
  .filter(([lead, trail]) => lead < 0xc6 || trail <= 0x52);

function escaped(text) {
  return text.replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function read(Decoder, pair) {
  try {
    return new Decoder("euc-kr", { fatal: true }).decode(Uint8Array.from(pair));
  } catch {
    return undefined;
  }
}

// The bytes and the characters, without any table: this package reads every syllable once, in order.
for (const area of [ksx1001, others]) {
  const texts = area.map((pair) => read(Standard, pair));
  if (texts.some((text, at) => text === undefined || (at > 0 && text <= texts[at - 1]))) throw new Error("not in order");
}
const all = new Set([...ksx1001, ...others].map((pair) => read(Standard, pair)));
if (all.size !== 11_172) throw new Error(`${all.size} syllables`);

const counts = { right: 0, "silently wrong": 0, rejected: 0 };
const examples = [];
for (const pair of [...ksx1001, ...others]) {
  const [node, standard] = [read(TextDecoder, pair), read(Standard, pair)];
  const result = node === standard ? "right" : node === undefined ? "rejected" : "silently wrong";
  counts[result] += 1;
  if (result === "silently wrong" && examples.length < 3)
    examples.push(`${pair.map((byte) => byte.toString(16)).join(" ")}: ${standard}, in Node "${escaped(node)}"`);
}
console.log(counts);
console.log(examples.join("\n"));

for (const label of ["big5", "euc-jp", "shift_jis", "gb18030", "windows-1252"]) {
  let differing = 0;
  for (const lead of range(0x80, 0xff)) {
    for (const trail of range(0, 0xff)) {
      const bytes = Uint8Array.of(lead, trail);
      if (new TextDecoder(label).decode(bytes) !== new Standard(label).decode(bytes)) differing += 1;
    }
  }
  console.log(`${label}: ${differing} of 32,768 pairs of bytes differ`);
}
process.exitCode = counts["silently wrong"] > 0 ? 0 : 1;
JS
if node compare.js; then
  echo "As found: Node's euc-kr is not code page 949."
else
  echo "Changed: Node reads every syllable rightly, or rejects it." >&2
  exit 1
fi

# Seen on Node 24.21.0:
# Node v24.21.0, ICU 78.3, @exodus/bytes 1.16.0
# { right: 2350, 'silently wrong': 2349, rejected: 6473 }
# 81 41: 갂, in Node "\u0081A"
# 81 42: 갃, in Node "\u0081B"
# 81 43: 갅, in Node "\u0081C"
# big5: 6889 of 32,768 pairs of bytes differ
# euc-jp: 10841 of 32,768 pairs of bytes differ
# shift_jis: 1376 of 32,768 pairs of bytes differ
# gb18030: 0 of 32,768 pairs of bytes differ
# windows-1252: 0 of 32,768 pairs of bytes differ
