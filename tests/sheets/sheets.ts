import { programShapes } from "./programs.ts";
import type { SheetShape } from "./shape.ts";
import { toWorkbook } from "./workbook.ts";

export const categories = "1=Dogs,2=Cats,3=Rabbits,4=Birds,5=Other";

type Encoding = "utf-8" | "utf-16le" | "windows-1251" | "macintosh";

/** The bytes of a file with these lines. */
function text(lines: readonly string[], lineEnd = "\n", encoding: Encoding = "utf-8"): Uint8Array {
  const content = lines.map((line) => line + lineEnd).join("");
  if (encoding === "utf-8") return Uint8Array.from(Buffer.from(content));
  if (encoding === "utf-16le") return Uint8Array.from(Buffer.from(`\uFEFF${content}`, "utf16le"));
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
  );
  return Uint8Array.from(content, (character) => bytes.get(character) as number);
}

/** Files of shelters. */
export const sheetShapes: readonly SheetShape[] = [
  {
    name: "a city's outcomes, all quoted, with odd names",
    bytes: text(
      [
        '"Animal ID","Animal Name","Animal Type","Primary Color","Secondary Color","DOB","Crossing","Outcome Type","Outcome Subtype"',
        '"A1","  Bella ","DOG","Black","","2026-03-01","Says ""hi""\nto everyone","ADOPTION",""',
        '"A2","","CAT","Calico","","2026-03-02","","ADOPTION",""',
        '"A3","  ","OTHER","White/Tan","","2026-03-03","","ADOPTION",""',
        '"A4","""Rex"" the dog","DOG","Black","","2026-03-04","","ADOPTION",""',
        '"A5","Duke, the 2nd","BIRD","Black","","2026-03-05","","ADOPTION",""',
        '"A6","null","DOG","Black","","2026-03-06","","ADOPTION",""',
        '"A8","-","CAT","Black","","2026-03-08","","ADOPTION",""',
        '"A9","Max","DOG","Black","","2026-03-09","","TRANSFER",""',
        '"A10","Coco","DOG","Black","","2026-03-10","","RTO",""',
        '"A11","","DOG","Black","","2026-03-11","","EUTH",""',
      ],
      "\r\n",
    ),
    answers: { withoutName: "Animal ID" },
    questions: 0,
    animals: [
      "Bella,1,sold",
      "A2,2,sold",
      "A3,5,sold",
      '"Rex" the dog,1,sold',
      "Duke, the 2nd,4,sold",
      "null,1,sold",
      "-,2,sold",
    ],
    leftOut: 3,
  },
  {
    name: "no column of names",
    bytes: text([
      "Animal Id,Animal Type,Animal Breed,Kennel Number,Outcome Type",
      "A1,DOG,Labrador Retriever,Black,ADOPTION",
      "A2,CAT,Pit Bull,Calico,RETURNED TO OWNER",
      "A3,BIRD,Pit Bull,Black,EUTHANIZED",
      "A4,OTHER,Pit Bull,Black,ADOPTION",
      "A5,DOG,Pit Bull,Black,DEAD ON ARRIVAL",
    ]),
    answers: { columns: { name: "Animal Id" }, values: { status: { "Dead on arrival": "skip" } } },
    questions: 2,
    animals: ["A1,1,sold", "A4,5,sold"],
    leftOut: 3,
  },
  {
    name: "Turkish, after a mark",
    bytes: text(
      [
        "\uFEFFTür;Ad;Yaş;Durum",
        "Köpek;Şeker;1;müsait",
        "Kedi;Çakıl İnci;2;SAHİPLENDİRİLDİ",
        "KUŞ;Paşa;3;rezerve",
        "Tavşan;Fındık;4;Öldü",
        "Kaplumbağa;Üzüm;5;müsait",
        "Kedi;;6;müsait",
      ],
      "\r\n",
    ),
    answers: { values: { categoryId: { "*": "5" } } },
    questions: 2,
    animals: ["Şeker,1,available", "Çakıl İnci,2,sold", "Paşa,4,pending", "Üzüm,5,available"],
    leftOut: 1,
    rejected: 1,
  },
  {
    name: "Cyrillic",
    bytes: text(
      [
        "Кличка;Вид;Статус;Возраст",
        "Барсик;кошка;свободен;1",
        "Рекс;Собака;Пристроен;2",
        "Ёлка;Кролик;умер;3",
        ";кошка;свободен;4",
      ],
      "\r\n",
      "windows-1251",
    ),
    questions: 2,
    animals: ["Барсик,2,available", "Рекс,1,sold"],
    leftOut: 1,
    rejected: 1,
  },
  {
    name: "Spanish",
    bytes: text(
      [
        "Nombre\tEspecie\tEstado\tEdad",
        "Señorita\tPerro\tDisponible\t1",
        "Luna\tGato\tAdoptada\t2",
        "Coco\tPájaro\tReservado\t3",
        "Max\tPerro\tFallecido\t4",
      ],
      "\r\n",
      "utf-16le",
    ),
    questions: 0,
    animals: ["Señorita,1,available", "Luna,2,sold", "Coco,4,pending"],
    leftOut: 1,
  },
  {
    name: "French, of an old Mac",
    bytes: text(
      [
        "Nom;Espèce;Statut",
        "Amélie;Chien;Disponible",
        "Zoë;Chat;Adopté",
        "Luna;Lapin;Réservé",
        "Max;Chien;Décédé",
        "Käthe;Chat;Adopté",
      ],
      "\r",
      "macintosh",
    ),
    questions: 1,
    animals: ["Amélie,1,available", "Zoë,2,sold", "Luna,3,pending", "Käthe,2,sold"],
    leftOut: 1,
  },
  {
    name: "titles above",
    bytes: text([
      "Happy Tails,,,",
      "2026,,,",
      "",
      "Name,Species,Status,Notes",
      'Bella,Dog,Adoptable,"Shy, needs time"',
      "Max,Cat,Transferred,",
      "Luna,Rabbit,Pending,",
    ]),
    questions: 0,
    animals: ["Bella,1,available", "Luna,3,pending"],
    leftOut: 1,
  },
  {
    name: "Excel's own first line",
    bytes: text(
      ["sep=;", "Name;Species;Status", '"Salt; Pepper";Bird;Adopted', "Max;Cat;Adoptable"],
      "\r\n",
    ),
    questions: 0,
    animals: ["Salt; Pepper,4,sold", "Max,2,available"],
  },
  {
    name: "no names of columns",
    bytes: text([
      "Bella,Dog,Adoptable,",
      "Max,Cat,Adopted,Shy",
      "Luna,Dog,Transferred,Shy",
      ",Dog,Pending,",
      "007,Bird,Adopted,",
    ]),
    answers: { columns: { name: "A" } },
    questions: 2,
    animals: ["Bella,1,available", "Max,2,sold", "007,4,sold"],
    leftOut: 1,
    rejected: 1,
  },
  {
    name: "more rows than are looked at to find the columns",
    bytes: text([
      "Name,Species,Status",
      ...Array.from({ length: 1_500 }, (_, at) => `Rex ${at},Dog,Adopted`),
    ]),
    questions: 0,
    animals: Array.from({ length: 1_500 }, (_, at) => `Rex ${at},1,sold`),
  },
  {
    name: "a workbook of another program",
    bytes: toWorkbook(
      [
        {
          name: "Animals",
          rows: [
            ["Name", "Species", "Status", "Notes"],
            ["'Tis", "Dog", "Adoptable", 'Says "hi"\nto <everyone> & me'],
            ["  Max ", "Cat", "Pending", ""],
            ["", "Bird", "Adopted", ""],
          ],
        },
      ],
      { isTerse: true },
    ),
    questions: 1,
    animals: ["'Tis,1,available", "Max,2,pending"],
    rejected: 1,
  },
  {
    name: "a workbook with numbers, dates and other sheets",
    bytes: toWorkbook([
      {
        name: "Lists",
        isHidden: true,
        rows: [
          ["Name", "Species"],
          ["Nobody", "Dog"],
        ],
      },
      {
        name: "Animals",
        rows: [
          ["ID", "Date", "Age", "Name", "Species", "Status", "Notes"],
          [
            { number: "100200" },
            { date: 46_082 },
            { number: "2" },
            "Bella",
            "Dog",
            "Adoptable",
            "",
          ],
          [
            { number: "100237" },
            { date: 46_083 },
            { number: "9" },
            { error: "#N/A" },
            "Cat",
            "Pending",
            "",
          ],
          [
            { number: "100274" },
            { date: 46_084 },
            { number: "1" },
            { number: "202" },
            "Rabbit",
            "Adopted",
            "",
          ],
          [{ number: "100280" }, { date: 46_084 }, { number: "1" }, "", "Cat", "Adopted", ""],
          [
            { number: "100311" },
            { date: 46_085 },
            { number: "3" },
            "Max",
            "Bird",
            "Transferred",
            "",
          ],
        ],
      },
      { name: "Prices", rows: [["Item"], [{ number: "12.5" }]] },
    ]),
    answers: { withoutName: "ID" },
    questions: 0,
    animals: ["Bella,1,available", "100237,2,pending", "202,3,sold", "100280,2,sold"],
    leftOut: 1,
  },
  ...programShapes,
];
