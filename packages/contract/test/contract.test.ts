import { expect, test } from "vitest";
import { parseCategoryNames, simplify } from "../src/categories.ts";
import { contract, errors, operations } from "../src/index.ts";

test.each(Object.entries(operations))(
  "%s takes an Idempotency-Key, unless it is a GET, or its items have their own",
  (_name, { method, headers, metadata }) => {
    const isKeyed = method !== "GET" && metadata.items === undefined; // then the client sends one
    expect(Object.keys(headers?.shape ?? {})).toEqual(isKeyed ? ["idempotency-key"] : []);
  },
);

test.each(Object.entries(operations))(
  "%s is deprecated exactly if it says when",
  (_name, { deprecated, metadata }) => {
    expect(deprecated ?? false).toBe(metadata.deprecation !== undefined);
  },
);

// docs/test/facts.test.ts compares the codes and their statuses with docs/api.md.
test("operations declare every error status but 405, which no operation returns", () => {
  const declared = Object.values(contract).flatMap(({ responses }) =>
    Object.keys(responses).map(Number),
  );
  const missing = Object.values(errors).flatMap(({ status }) =>
    declared.includes(status) ? [] : [status],
  );
  expect(missing).toStrictEqual([405]);
});

test("categories have a name and other words, of which some may differ only in case", () => {
  expect(parseCategoryNames(" 1 = Dogs | Dog|dog ,-2=Cats=A")).toEqual(
    new Map([
      ["1", ["Dogs", "Dog", "dog"]],
      ["-2", ["Cats=A"]],
    ]),
  );
});

test.each([
  "1=Dogs|",
  "1=|Dog",
  "1=Dogs|Dog,2=Cats|dog",
  "1=Dogs|7",
  "1=Dogs|a\u0000",
  "1=Dogs,1=Cats",
  "1=Café,2=cafe!",
  "01=Dogs",
  "",
])("%j is not a list of categories", (list) => expect(parseCategoryNames(list)).toBeUndefined());

test.each([
  ["Épée", "epee"],
  ["ΓΆΤΑ", "γατα"],
  ["Ёж!", "еж"],
  ["كَلْب", "كلب"],
  ["כֶּלֶב", "כלב"],
  ["バト", "ﾊﾞﾄ"],
  ["バト", "バト".normalize("NFD")],
  ["HAYVAN ADI", "hayvan adı"],
  ["İsim", "isim"],
  ["Max´s", "Max's"],
  ["🐕️ Dog", "dog"],
  ["ｃａｔ", "cat"],
])("%s is %s", (one, other) => expect(simplify(one)).toBe(simplify(other)));

test.each([
  ["ハト", "バト"],
  ["หมา", "หม่า"],
  ["कुत्ता", "कत्ता"],
  ["Dog", "Dag"],
])("%s is not %s", (one, other) => expect(simplify(one)).not.toBe(simplify(other)));

test("categories whose names differ by a mark that is a letter", () => {
  expect(parseCategoryNames("1=ハト,2=バト")?.size).toBe(2);
});
