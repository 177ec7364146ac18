import {
  createPetstoreClient,
  type Deprecation,
  type PetstoreClient,
  type PetstoreClientOptions,
  type PetstoreEvent,
} from "@petstore/client";
import { visible } from "@petstore/contract/visible";
import packageJson from "../package.json" with { type: "json" };
import { insteadOfGetPet, isGetPet } from "./failure.ts";
import { isJson, type Format } from "./formats.ts";
import { fetchFor } from "./network.ts";
import type { Output } from "./output.ts";
import { isLoopback } from "./setting-definitions.ts";
import { checked, connectionSettings, resolveSettings, type Flags, type Settings } from "./settings.ts";
import { colorModes, painter, type ColorMode, type Paint, type Terminal } from "./terminal.ts";
import { traceLines, tracing } from "./trace.ts";

/** Everything that a command uses. */
export interface Context {
  terminal: Terminal;
  settings: Settings;
  /** Shows a note on standard error, each text once. With `--quiet`, only if `isAlwaysShown`. */
  note: (text: string, options?: { isAlwaysShown?: boolean }) => void;
  /** Styles text for standard error. */
  paintError: Paint;
  isQuiet: boolean;
  isVerbose: boolean;
  /** Whether to print errors as JSON, for a program. */
  wantsJson: boolean;
}

export interface GlobalFlags extends Flags {
  pager?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

/** @throws {UsageError} if the settings cannot be read */
export function openContext(
  terminal: Terminal,
  { quiet = false, verbose = false, ...flags }: GlobalFlags,
  reportsProblem?: boolean,
): Context {
  const settings = resolveSettings(terminal, flags, reportsProblem);
  // An invalid color setting is reported when data is printed. Here it must not stop `config` from fixing it.
  const color = colorModes.find((mode) => mode === settings.values.color?.value) ?? "auto";
  const paintError = painter(terminal, terminal.stderr, color);
  const wantsJson = isJson(settings.values.output?.value);
  const shownNotes = new Set<string>();
  function note(text: string, { isAlwaysShown = false } = {}): void {
    if ((quiet && !isAlwaysShown) || shownNotes.has(text)) return;
    shownNotes.add(text);
    const shown = visible(wantsJson ? JSON.stringify({ note: text }) : text);
    terminal.stderr.write(wantsJson ? `${shown}\n` : `${paintError("dim", "note:")} ${shown}\n`);
  }
  return { terminal, settings, note, paintError, isQuiet: quiet, isVerbose: verbose, wantsJson };
}

/**
 * A client of the service.
 * @param connection by default from the settings
 * @throws {CommandError} if the settings are incomplete
 */
export function openClient(
  context: Context,
  connection: PetstoreClientOptions & { baseUrl: string } = connectionSettings(context.settings),
): PetstoreClient {
  warnOfCleartext(context, connection.baseUrl);
  const { terminal, settings, isVerbose } = context;
  const { fetch: send = fetchFor(terminal, connection.baseUrl), apiKey } = connection;
  // A key in the keyring is known once the client has read it.
  const write = traceLines(terminal, () =>
    typeof apiKey === "string" ? apiKey : (settings.values["api-key"]?.value ?? ""),
  );
  return createPetstoreClient({
    ...connection,
    appInfo: { name: "petstore-cli", version: packageJson.version },
    deprecations: "silent",
    fetch: isVerbose ? tracing(send, write) : send,
    onEvent(event) {
      if (event.type === "deprecation") noteDeprecation(context, event);
      else if (isVerbose && event.type === "retry") write(describeRetry(event));
    },
  });
}

export function warnOfCleartext({ note }: Context, baseUrl: string): void {
  if (new URL(baseUrl).protocol === "http:" && !isLoopback(baseUrl))
    note(`${baseUrl} is not encrypted: others on the network can read the API key`, { isAlwaysShown: true });
}

export function openOutput({ terminal, settings }: Context): Output {
  const { stdout } = terminal;
  // A table for people, lines of JSON for programs.
  const defaultFormat = stdout.isTTY === true ? "table" : "ndjson";
  const format = (checked(settings, "output") as Format | undefined) ?? defaultFormat;
  return { stdout, format, paint: painter(terminal, stdout, checked(settings, "color") as ColorMode) };
}

function noteDeprecation({ note }: Context, { operation, sunset, daysLeft }: Deprecation): void {
  const end = sunset ? ` and will be removed on ${sunset.toUTCString().slice(5, 16)}, in ${daysLeft} days` : "";
  // Only the operations of `petstore api` are like `GET /pets/{id}`.
  const what = operation.includes(" ") ? operation : "This command";
  note(`${what} is deprecated${end}${isGetPet(operation) ? `. ${insteadOfGetPet}` : ""}`);
}

function describeRetry({ attempt, delayMs, error }: Extract<PetstoreEvent, { type: "retry" }>): string {
  return `* attempt ${attempt + 1} in ${Math.round(delayMs)} ms, after: ${(error as Error).message}`;
}
