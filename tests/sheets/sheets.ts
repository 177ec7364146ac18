import { cyrillic, text, toShape, turkish, workbook, type Design, type SheetShape } from "./sheet-generator.ts";

const capitals = { DOG: "1", CAT: "2", BIRD: "4", OTHER: "5" };
const english = { Dog: "1", Cat: "2", Rabbit: "3", Bird: "4" };
const words = { Adoptable: "available", Adopted: "sold", Pending: "pending", Transferred: "skip" };
const small = { columns: "Name=name|Species=kind|Status=outcome|Notes=note", kinds: english, outcomes: words };
const designs: Design[] = [
  {
    name: "a city's outcomes",
    columns:
      "Animal ID=id|Animal Name=name|Animal Type=kind|Primary Color=color|Secondary Color=nothing|DOB=date|Intake Date=date|Intake Condition=note|Outcome Date=date|Outcome Type=outcome|Outcome Subtype=nothing|Crossing=note",
    kinds: capitals,
    outcomes: { ADOPTION: "sold", TRANSFER: "skip", RTO: "skip", EUTH: "skip" },
    rows: 200,
    isNamedById: true,
    answers: { withoutName: "Animal ID" },
    questions: 1,
    write: text({ areAllQuoted: true, lineEnd: "\r\n" }),
  },
  {
    name: "intakes of dogs, by groups of breeds",
    columns: "Animal ID=id|Name=name|Intake Date=date|Category=kind|Age=age|Color=color",
    kinds: { Hound: "1", Terrier: "1", Toy: "1", Herding: "1" },
    isNamedById: true,
    answers: { columns: { categoryId: "" }, values: { categoryId: { "": "1" } }, withoutName: "Animal ID" },
    questions: 3,
    write: text(),
  },
  {
    name: "no column of names",
    columns: "Animal Id=id|Animal Type=kind|Animal Breed=breed|Kennel Number=color|Outcome Type=outcome",
    kinds: capitals,
    outcomes: { ADOPTION: "sold", "RETURNED TO OWNER": "skip", EUTHANIZED: "skip", "DEAD ON ARRIVAL": "skip" },
    isNamedById: true,
    answers: { columns: { name: "Animal Id" }, values: { status: { "Dead on arrival": "skip" } } },
    questions: 3,
    write: text(),
  },
  {
    name: "Turkish",
    columns: "Tür=kind|Ad=name|Yaş=age|Durum=outcome",
    kinds: { Köpek: "1", Kedi: "2", KUŞ: "4", Tavşan: "3", Kaplumbağa: "5" },
    outcomes: { müsait: "available", SAHİPLENDİRİLDİ: "sold", rezerve: "pending", Öldü: "skip" },
    names: turkish,
    answers: { values: { categoryId: { "*": "5" } } },
    questions: 2,
    write: text({ separator: ";", encoding: "utf-8 with a mark", lineEnd: "\r\n" }),
  },
  {
    name: "Cyrillic",
    columns: "Кличка=name|Вид=kind|Статус=outcome|Возраст=age",
    kinds: { Собака: "1", кошка: "2", Кролик: "3" },
    outcomes: { свободен: "available", Пристроен: "sold", умер: "skip" },
    names: cyrillic,
    questions: 2,
    write: text({ separator: ";", encoding: "windows-1251", lineEnd: "\r\n" }),
  },
  {
    name: "Spanish",
    columns: "Nombre=name|Especie=kind|Estado=outcome|Edad=age",
    kinds: { Perro: "1", Gato: "2", Pájaro: "4" },
    outcomes: { Disponible: "available", Adoptada: "sold", Reservado: "pending", Fallecido: "skip" },
    nameless: 0,
    questions: 0,
    write: text({ separator: "\t", encoding: "utf-16le", lineEnd: "\r\n" }),
    extension: "txt",
  },
  {
    name: "French, of an old Mac",
    columns: "Nom=name|Espèce=kind|Statut=outcome",
    kinds: { Chien: "1", Chat: "2", Lapin: "3" },
    outcomes: { Disponible: "available", Adopté: "sold", Réservé: "pending", Décédé: "skip" },
    nameless: 0,
    questions: 1,
    write: text({ separator: ";", encoding: "macintosh", lineEnd: "\r" }),
  },
  { ...small, name: "titles above", nameless: 0, questions: 0, write: text({ above: "Happy Tails,,,\n2026,,,\n\n" }) },
  {
    ...small,
    name: "Excel's own first line",
    nameless: 0,
    questions: 0,
    write: text({ separator: ";", above: "sep=;\r\n", lineEnd: "\r\n" }),
  },
  {
    ...small,
    name: "no names of columns",
    columns: "=name|=kind|=outcome",
    rows: 40,
    answers: { columns: { name: "A" } },
    questions: 2,
    write: text({ isHeadless: true }),
  },
  {
    name: "statistics",
    columns: "Year=age|Month=date|Species=kind|Outcome=outcome|Count=age",
    kinds: english,
    outcomes: { Adoption: "sold", Transfer: "skip" },
    questions: 2,
    write: text(),
  },
  { ...small, name: "1,500 rows", rows: 1_500, nameless: 0, questions: 0, write: text() },
  {
    ...small,
    name: "a workbook of another program",
    questions: 1,
    write: workbook({ isInline: true, isWithoutPlaces: true }),
    extension: "xlsx",
  },
  {
    ...small,
    name: "a workbook with numbers, dates and other sheets",
    columns: "ID=id|Date=date|Age=age|Name=name|Species=kind|Status=outcome|Notes=nothing",
    isNamedById: true,
    answers: { withoutName: "ID" },
    questions: 1,
    write: workbook({
      before: [
        {
          name: "Lists",
          isHidden: true,
          rows: [
            ["Name", "Species"],
            ["Nobody", "Dog"],
          ],
        },
      ],
      after: [{ name: "Prices", rows: [["Item"], [{ number: "12.5" }]] }],
      isTyped: true,
    }),
    extension: "xlsx",
  },
];

/** Files of shelters, with made-up names. */
export const sheetShapes: readonly SheetShape[] = designs.map((design, index) => toShape(design, index));
