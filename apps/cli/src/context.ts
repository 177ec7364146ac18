import { visible } from "@petstore/contract/visible";
import { painter } from "./output/print.ts";
import { formatFor, isJson } from "./settings/definitions.ts";
import { resolveSettings } from "./settings/resolve.ts";
import type { Context, Flags, Terminal } from "./types.ts";

/**
 * @param addNote keeps a note until the output has ended
 * @throws {UsageError} if the settings cannot be read
 */
export function openContext(
  terminal: Terminal,
  flags: Flags,
  addNote: (note: string) => void,
): Context {
  const { quiet = false } = flags;
  const settings = resolveSettings(terminal, flags);
  const wantsJson = isJson(formatFor(terminal, settings.values.output?.value));
  const paintError = painter(terminal, terminal.stderr);
  function describe(text: string): string {
    return wantsJson
      ? visible(JSON.stringify({ note: text }))
      : `${paintError("dim", "note:")} ${visible(text)}`;
  }
  return {
    terminal,
    settings,
    note: (text) => (quiet ? undefined : addNote(`${describe(text)}\n`)),
    tell: (text) => void (quiet || terminal.stderr.write(`${describe(text)}\n`)),
    warn: (text) => void terminal.stderr.write(`${describe(text)}\n`),
    paint: painter(terminal, terminal.stdout),
    isQuiet: quiet,
    wantsJson,
  };
}
