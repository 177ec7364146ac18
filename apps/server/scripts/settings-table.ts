import { readFileSync } from "node:fs";
import { writeGenerated } from "../../../scripts/generated.ts";
import { settingsSchema } from "../src/config.ts";

const settingsPage = new URL("../../../docs/configuration.md", import.meta.url);

/** The page, with its table of settings regenerated from the schema. */
function withSettingsTable(page: string): string {
  return page.replace(
    /(?<=<!-- settings -->\n).*(?=<!-- \/settings -->)/s,
    () => `\n${settingsTable()}\n\n`,
  );
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

writeGenerated(settingsPage, withSettingsTable(readFileSync(settingsPage, "utf8")));
