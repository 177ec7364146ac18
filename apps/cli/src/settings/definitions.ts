import { parseCategoryNames } from "@petstore/contract/categories";
import { apiKeyPattern, baseUrlPattern } from "@petstore/contract/rules";
import { UsageError } from "../failure.ts";
import type { Setting, SettingName, Terminal } from "../types.ts";

export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

/**
 * The format in effect, not validated: by default a table for people, and lines of JSON for
 * programs.
 */
export function formatFor({ stdout }: Terminal, chosen: string | undefined): string {
  return chosen || (stdout.isTTY === true ? "table" : "ndjson");
}

/** Whether a format is for programs. They get notes and errors as JSON too. */
export function isJson(format: string | undefined): boolean {
  return format === "json" || format === "ndjson";
}

const maxRetries = 10;

/** The sources and the validation of a setting. */
export interface SettingDefinition {
  variable?: string;
  fallback?: string;
  /** The requirement that an invalid value violates. */
  problem(text: string): string | undefined;
}

/** Every setting. Precedence: flag > environment > saved login > default. */
export const definitions: Readonly<Record<SettingName, SettingDefinition>> = {
  "base-url": {
    variable: "PETSTORE_BASE_URL",
    fallback: "http://127.0.0.1:8080/v1",
    problem: (text) =>
      isBaseUrl(text) ? undefined : `must be like https://host/v1${suggestBaseUrl(text)}`,
  },
  "api-key": {
    problem: (text) =>
      apiKeyPattern.test(text) ? undefined : "must be an API key, like pst_live_…",
  },
  output: {
    variable: "PETSTORE_OUTPUT",
    problem: (text) =>
      formats.some((format) => format === text)
        ? undefined
        : `must be one of ${formats.join(", ")}`,
  },
  timeout: {
    variable: "PETSTORE_TIMEOUT",
    fallback: "30s",
    problem: (text) =>
      Number.isNaN(parseDuration(text)) ? "must be a time like 500ms, 30s or 2m" : undefined,
  },
  retries: {
    variable: "PETSTORE_RETRIES",
    fallback: "2",
    problem: (text) =>
      /^\d{1,2}$/.test(text) && Number(text) <= maxRetries
        ? undefined
        : `must be a whole number from 0 to ${maxRetries}`,
  },
  categories: {
    variable: "PETSTORE_CATEGORY_NAMES",
    problem: (text) =>
      parseCategoryNames(text) ? undefined : "must be like 1=Dogs|Dog,2=Cats|Cat, each name once",
  },
};

/** @throws {UsageError} if a value is invalid, with its origin */
export function checkSetting(name: SettingName, { value, origin }: Setting): void {
  const problem = definitions[name].problem(value);
  // Does not show the value: it may be a key.
  if (problem !== undefined)
    throw new UsageError(`${name} (${origin}) ${problem}`, "See petstore --help");
}

/** The normal form of an address. Text that is not an address stays unchanged. */
export function normalizeAddress(text: string): string {
  return URL.canParse(text) ? new URL(text).href.replace(/\/$/, "") : text;
}

/** Whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  return (
    URL.canParse(address) &&
    /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/.test(new URL(address).hostname)
  );
}

function isBaseUrl(text: string): boolean {
  return URL.canParse(text) && baseUrlPattern.test(text.replace(/\/$/, ""));
}

function suggestBaseUrl(text: string): string {
  const scheme = /^(?:localhost|127\.)/.test(text) ? "http" : "https";
  const address = text.replace(/[?#].*$/s, "");
  // What follows `/v1` is the path of a request.
  const base = /^.*?\/v1(?=\/|$)/s.exec(address)?.[0] ?? `${address}/v1`;
  const guess = [base, `${scheme}://${base}`]
    .map((url) => url.replace(/\/+v1$/, "/v1"))
    .find(isBaseUrl);
  return guess === undefined ? "" : `: did you mean ${guess}?`;
}

/** Parses a number above 0 with a unit into milliseconds. Returns `NaN` for anything else. */
export function parseDuration(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? [];
  const unitMs = { ms: 1, s: 1_000, m: 60_000 }[unit];
  const durationMs = Number(digits) * (unitMs ?? Number.NaN);
  // Longer durations do not fit a timer.
  return durationMs > 0 && durationMs < 2 ** 31 ? durationMs : Number.NaN;
}
