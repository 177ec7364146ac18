import { readFileSync, writeFileSync } from "node:fs";
import { settingsSchema } from "../src/config.ts";

export const settingsPage = new URL("../../../docs/configuration.md", import.meta.url);

/** The page, with its table of settings regenerated from the schema. */
export function withSettingsTable(page: string): string {
  return page.replace(/(?<=<!-- settings -->\n).*(?=<!-- \/settings -->)/s, () => `\n${settingsTable()}\n\n`);
}

function settingsTable(): string {
  const required = { PETSTORE_DATABASE_URL: "memory:" };
  const defaults: Record<string, unknown> = settingsSchema.parse(required);
  const rows = Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const fallback = defaults[name];
    const isSimple = typeof fallback === "string" || typeof fallback === "number";
    const text = name in required ? "required" : isSimple ? `\`${fallback}\`` : "none";
    return `| \`${name}\` | ${text} | ${schema.meta()?.description} |`;
  });
  return ["| Setting | Default | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

if (import.meta.main) writeFileSync(settingsPage, withSettingsTable(readFileSync(settingsPage, "utf8")));
