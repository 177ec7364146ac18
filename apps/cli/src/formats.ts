export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

/** Whether a format is for programs. They get errors as JSON too. */
export function isJson(format: string | undefined): boolean {
  return format === "json" || format === "ndjson";
}
