import { expect, test } from "vitest";
import { fold } from "../src/language/fold.ts";

test.each([
  ["Søren", "soren"],
  ["MŁYNEK", "młynek"],
  ["MŁYNEK", "mlynek"],
  ["Đorđe", "dorde"],
  ["Æsop", "AESOP"],
  ["Œuvre", "oeuvre"],
  ["Strauß", "strauss"],
  ["Strauß", "STRAUẞ"],
  ["Þór", "thor"],
  ["Garðar", "gardar"],
  ["Işıl", "isil"],
  ["Zoë", "zøe"],
])("%s is found as %s", (name, search) => {
  expect(fold(name)).toBe(fold(search));
});
