import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingsPage, withSettingsTable } from "../scripts/settings-table.ts";

test("the table of docs/configuration.md is what `pnpm generate` writes", () => {
  const page = readFileSync(settingsPage, "utf8");
  expect(page).toContain("| `PETSTORE_PORT` | `8080` |");
  expect(page).toBe(withSettingsTable(page));
});
