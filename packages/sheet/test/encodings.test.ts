import { createMultibyteEncoder } from "@exodus/bytes/multi-byte.js";
import { createSinglebyteEncoder } from "@exodus/bytes/single-byte.js";
import { expect, test } from "vitest";
import {
  encodings,
  openSheet,
  readSheet,
  reasonOf,
  toEncoding,
  type Encoding,
} from "../src/index.ts";

const severalBytes: readonly Encoding[] = [
  "shift_jis",
  "gb18030",
  "big5",
  "euc-kr",
  "euc-jp",
  "iso-2022-jp",
];

function encode(text: string, encoding: Encoding): Uint8Array {
  return severalBytes.includes(encoding)
    ? createMultibyteEncoder(encoding)(text)
    : createSinglebyteEncoder(encoding)(text);
}

function listOf(names: readonly string[]): string {
  return `name,species,status\n${names.map((name) => `${name},Dog,available\n`).join("")}`;
}

async function namesIn(bytes: Uint8Array, encoding?: Encoding): Promise<(string | undefined)[]> {
  const { tables } = await openSheet(bytes, encoding);
  return tables[0].rows.slice(1).map(([name]) => name);
}

test.each<[label: string, encoding: Encoding | undefined]>([
  ["windows-31j", "shift_jis"],
  ["sjis", "shift_jis"],
  ["GB2312", "gbk"],
  ["Windows-949", "euc-kr"],
  ["latin1", "windows-1252"],
  [" UTF8 ", "utf-8"],
  ["klingon", undefined],
  ["x-user-defined", undefined],
  ["replacement", undefined],
  ["", undefined],
])("the label %j is the encoding %s", (label, encoding) => {
  expect(toEncoding(label)).toBe(encoding);
});

test.each(encodings.map((encoding) => [encoding]))(
  "the runtime knows %s by this name",
  (encoding) => {
    expect(toEncoding(encoding)).toBe(encoding);
  },
);

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/**
 * The two areas of syllables in code page 949: those of KS X 1001, and all others. Each is in the
 * order of Unicode.
 */
const hangulAreas = {
  "KS X 1001": range(0xb0, 0xc8).flatMap((lead) => range(0xa1, 0xfe).map((trail) => [lead, trail])),
  others: range(0x81, 0xc6)
    .flatMap((lead) =>
      [...range(0x41, 0x5a), ...range(0x61, 0x7a), ...range(0x81, lead < 0xa1 ? 0xfe : 0xa0)].map(
        (trail) => [lead, trail],
      ),
    )
    .filter(([lead = 0, trail = 0]) => lead < 0xc6 || trail <= 0x52),
};

test("reads all 11,172 Korean syllables of code page 949", async () => {
  const found = new Set<string>();
  for (const pairs of Object.values(hangulAreas)) {
    const bytes = Uint8Array.from(
      [..."name\n"]
        .map((letter) => letter.charCodeAt(0))
        .concat(pairs.flatMap((pair) => [...pair, 10])),
    );
    const names = await namesIn(bytes, "euc-kr");
    expect(names.every((name = "", at) => name > (names[at - 1] ?? ""))).toBe(true);
    for (const name of names) found.add(name ?? "");
  }
  expect([...found].toSorted((one, other) => (one < other ? -1 : 1)).join("")).toBe(
    String.fromCharCode(...range(0xac00, 0xd7a3)),
  );
});

test.each<[Encoding, number[], string]>([
  ["shift_jis", [0xf0, 0x40], "\uE000"],
  ["big5", [0x87, 0x40], "䏰"],
  ["euc-jp", [0x8f, 0xb0, 0xa1], "丂"],
  ["gb18030", [0x81, 0x39, 0xee, 0x39], "㐀"],
  ["windows-1252", [0x80], "€"],
])("reads bytes of %s as the Encoding Standard says: %j", async (encoding, bytes, text) => {
  expect(
    await namesIn(Uint8Array.from([...Buffer.from("name\nRex "), ...bytes, 10]), encoding),
  ).toEqual([`Rex ${text}`]);
});

const lists: [Encoding, ...names: string[]][] = [
  ["shift_jis", "タロウ", "ポチ", "こむぎ"],
  ["shift_jis", "太郎", "花子", "三毛"],
  ["euc-jp", "タロウ", "ポチ", "こむぎ"],
  ["euc-jp", "太郎", "花子", "三毛"],
  ["big5", "小黑", "來福", "旺財"],
  ["gb18030", "小黑", "来福", "旺财"],
  ["euc-kr", "초코", "바둑이", "똘이"],
  ["euc-kr", "누렁이", "뚱이", "펲시"],
  ["windows-874", "มะลิ", "โกโก้", "ข้าวปั้น"],
  ["windows-1250", "Łatek", "Żuczek", "Śnieżka", "Pączek", "Gęś"],
  ["windows-1250", "Bořek", "Žofka", "Ťapka", "Káťa", "Růženka"],
  ["windows-1251", "Мурка", "Барсик", "Жучка"],
  ["windows-1251", "Сніжок", "Їжачок", "Мурчик"],
  ["windows-1252", "Müller", "Björn", "Süße"],
  ["windows-1252", "Zoé", "Chérie", "Noël", "Hélène", "Crème brûlée", "François", "Bébé", "Éclair"],
  ["windows-1252", "Rex’s pup", "“Max”", "Bella – older"],
  ["windows-1253", "Μάρα", "Αζόρ", "Λουκάς", "Μπόμπι", "Φρίξος"],
  ["windows-1254", "Paşa", "Şeker", "Çakıl", "Fıstık", "Yağmur", "Gümüş", "Minnoş"],
  ["windows-1255", "שוקו", "לוקי", "צ'רלי", "מוקה", "סימבה", "בלה", "נלה", "גינגי"],
  ["windows-1256", "بسبس", "لولو", "سمسم", "مشمش", "عنتر", "زهرة"],
  ["windows-1257", "Rainė", "Juodžius", "Šuniukas", "Pūkė", "Mažylis", "Meškėnas", "Žvaigždė"],
  [
    "windows-1258",
    "Mèo",
    "Bô\u0301ng",
    "Vàng",
    "Mư\u0323c",
    "Đô\u0301m",
    "Lúa",
    "Cún",
    "Sư\u0303a",
  ],
  ["koi8-r", "Мурка", "Барсик", "Жучка"],
  ["ibm866", "Мурка", "Барсик", "Жучка"],
  ["macintosh", "Müller", "Björn", "Süße", "Möhre", "Häschen"],
  ["macintosh", "Zoé", "Chérie", "Noël"],
];

test.each(lists)(
  "proposes %s for %s, %s, %s …, and a person confirms it",
  async (encoding, ...names) => {
    const file = await openSheet(encode(listOf(names), encoding));
    expect(file).toMatchObject({ encoding, isUnsure: true });
    expect(file.tables[0].rows.slice(1).map(([name]) => name)).toEqual(names);
  },
);

test.each(lists)(
  "proposes no other encoding than %s for fewer names of %s, %s, %s …",
  async (encoding, ...names) => {
    const parts = names.flatMap((_, first) =>
      [1, 2, 3].map((length) => names.slice(first, first + length)),
    );
    const wrong: string[] = [];
    for (const part of parts) {
      const file = await openSheet(encode(listOf(part), encoding));
      const read = file.tables[0].rows.slice(1).map(([name]) => name);
      if (file.encoding !== undefined && read.join() !== part.join())
        wrong.push(`${part.join()} as ${file.encoding}`);
    }
    expect(wrong).toEqual([]);
  },
);

test.each(lists)(
  "%s is among the few encodings to choose from for %s, %s, %s …",
  async (encoding, ...names) => {
    const { candidates = [] } = await openSheet(encode(listOf(names), encoding));
    expect(candidates.length).toBeLessThanOrEqual(5);
    expect(candidates.find((each) => each.encoding === encoding)?.samples).toEqual(
      names.slice(0, 3),
    );
  },
);

test("proposes none of two encodings that both make names, and shows the names of each", async () => {
  const file = await openSheet(encode(listOf(["Bořek"]), "windows-1250"));
  expect(file.encoding).toBeUndefined();
  expect(file.isUnsure).toBe(true);
  expect(file.candidates).toEqual(
    expect.arrayContaining([
      { encoding: "windows-1250", samples: ["Bořek"] },
      { encoding: "windows-1252", samples: ["Boøek"] },
    ]),
  );
});

test("proposes no encoding that cannot decode a later name", async () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `タロウ${at}`);
  const bytes = Uint8Array.from([...encode(listOf(names), "shift_jis"), 0xff, 0xff, 0x0a]);
  const file = await openSheet(bytes);
  expect(file.encoding).toBeUndefined();
  expect(file.candidates?.[0]).toMatchObject({ encoding: "shift_jis" });
});

test("an encoding that a person has chosen is certain", async () => {
  const bytes = encode(listOf(["タロウ"]), "shift_jis");
  expect(await openSheet(bytes, "shift_jis")).toMatchObject({
    encoding: "shift_jis",
    isUnsure: false,
  });
});

test("ISO-2022-JP shows itself by its escapes", async () => {
  const bytes = encode(listOf(["タロウ", "花子"]), "iso-2022-jp");
  expect(await openSheet(bytes)).toMatchObject({ encoding: "iso-2022-jp", isUnsure: false });
  expect(await namesIn(bytes)).toEqual(["タロウ", "花子"]);
});

const latinLine = encode("Zoë,Cat,available", "windows-1252");

test.each([
  ["\n", 4],
  ["\r\n", 4],
  ["\r", 4],
])(
  "names the first line that is not UTF-8 if the others are, with line ends %j",
  async (lineEnd, line) => {
    const before = ["name,species,status", "Müller,Dog,available", "Björn,Dog,available"]
      .map((each) => each + lineEnd)
      .join("");
    const file = await openSheet(
      Uint8Array.from([...Buffer.from(before), ...latinLine, ...Buffer.from(lineEnd)]),
    );
    expect(file).toMatchObject({ encoding: "utf-8", isUnsure: true, oddLine: line });
    expect(file.candidates).toContainEqual({ encoding: "windows-1252", samples: ["Zoë"] });
    expect(file.tables[0].rows[3]?.[0]).toBe("Zo\uFFFD");
  },
);

test("a file whose only line beyond ASCII is not UTF-8 is of another encoding", async () => {
  const file = await openSheet(
    Uint8Array.from([...Buffer.from("name,species,status\n"), ...latinLine]),
  );
  expect(file.oddLine).toBeUndefined();
});

test("a name that is not in the encoding that a person has chosen is a problem of its row", async () => {
  const bytes = Uint8Array.from("name,species\nZo\u00eb,dog\nRex,dog\n", (character) =>
    character.charCodeAt(0),
  );
  const { tables } = await openSheet(bytes, "utf-8");
  const { animals, problems } = readSheet(tables[0], new Map([["1", ["Dogs"]]]));
  expect([animals.map(({ row }) => row), problems.map(reasonOf)]).toEqual([[3], ["undecoded"]]);
});
