import { statSync } from "node:fs";
import { isApiError, type PageList, type PetstoreClient } from "@petstore/client";
import { openClient, openOutput, type Context } from "../context.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { CommandError, explain } from "../failure.ts";
import { printPages } from "../output.ts";
import { checkSetting, settingNames } from "../setting-definitions.ts";
import { connectionSettings, destination, type Settings, withoutKey } from "../settings.ts";
import type { Column } from "../table.ts";
import { version } from "../version.ts";

/** What was looked at, and what came of it. */
interface Check {
  check: string;
  result: "ok" | "warning" | "failed" | "skipped";
  /** What was found, and what to do about it. */
  detail: string;
  /** Of the failure. */
  exitCode?: ExitCode;
}

const styles = { ok: "green", warning: "yellow", failed: "red", skipped: "dim" } as const;

const checkColumns: readonly Column<Check>[] = [
  { name: "check", value: ({ check }) => check },
  { name: "result", value: ({ result }) => result, style: ({ result }) => styles[result] },
  { name: "detail", value: ({ detail }) => detail },
];

/** Looks at everything that a command needs, and says what to do where something is wrong. */
export async function diagnose(context: Context): Promise<void> {
  const local = [checkProgram(context), ...checkSettings(context.settings), checkPermissions(context)];
  const isUsable = local.every(({ result }) => result !== "failed");
  const remote = isUsable ? await checkService(context) : [skipped("service")];
  const checks = [...local, ...remote];
  const shown = checks.map(({ check, result, detail }) => ({ check, result, detail }));
  await printPages(openOutput(context), checkColumns, [shown]);

  const failures = checks.filter(({ result }) => result === "failed");
  if (failures.length === 0) return;
  const names = failures.map(({ check }) => check).join(", ");
  throw new CommandError({
    exitCode: failures[0]?.exitCode ?? exitCodes.unexpected,
    code: "unhealthy",
    message: `${failures.length === 1 ? "One check" : `${failures.length} checks`} failed: ${names}`,
  });
}

function checkProgram({ terminal }: Context): Check {
  return {
    check: "program",
    result: "ok",
    detail: `petstore ${version}, Node ${terminal.nodeVersion}, ${terminal.platform}`,
  };
}

function checkSettings(settings: Settings): Check[] {
  return settingNames.flatMap((name): Check[] => {
    const setting = settings.values[name];
    if (setting === undefined || setting.origin === "default") return [];
    try {
      checkSetting(name, setting);
    } catch (error) {
      return [{ check: name, result: "failed", detail: (error as Error).message, exitCode: exitCodes.usage }];
    }
    const value = name === "api-key" ? "" : `${setting.value}, `;
    return [{ check: name, result: "ok", detail: `${value}from ${setting.origin}` }];
  });
}

/** The file may hold keys. */
function checkPermissions({ settings, terminal }: Context): Check {
  const check = "configuration file";
  try {
    const { mode } = statSync(settings.configPath);
    const isPrivate = terminal.platform === "win32" || (mode & 0o077) === 0;
    return isPrivate
      ? { check, result: "ok", detail: settings.configPath }
      : { check, result: "warning", detail: `others can read it: chmod 600 ${settings.configPath}` };
  } catch {
    return { check, result: "ok", detail: `${settings.configPath} (none yet)` };
  }
}

async function checkService(context: Context): Promise<Check[]> {
  const { terminal } = context;
  const { signal, now } = terminal;
  const startedAt = now();
  let client: PetstoreClient;
  try {
    client = openClient(context, { ...connectionSettings(context.settings), maxRetries: 0 });
  } catch (error) {
    return [failed(context, "api-key", error)];
  }
  const orders = client.experimental.listOrders({ limit: 1 }, { signal });
  const pets = await tryList(context, "animals", client.listPets({ limit: 1 }, { signal }));
  if (pets.result === "failed") return [pets];
  const reached: Check = { check: "service", result: "ok", detail: `answers in ${now() - startedAt} ms` };
  return [reached, pets, await tryList(context, "orders", orders), checkClock(pets.date, now())];
}

/** Whether the key may read a list. */
async function tryList(
  context: Context,
  check: string,
  list: PageList<unknown>,
): Promise<Check & { date?: string | null }> {
  try {
    const { response } = await list;
    return { check, result: "ok", detail: "the key may read them", date: response.headers.get("Date") };
  } catch (error) {
    if (isApiError(error, "insufficient_scope")) {
      return { check, result: "warning", detail: "the key may not read them", date: error.headers.get("Date") };
    }
    return failed(context, check, error);
  }
}

/** An import relies on the clock: it must know whether the service still remembers a row. */
function checkClock(date: string | null | undefined, now: number): Check {
  const check = "clock";
  const skewMs = Math.abs(Date.parse(date ?? "") - now);
  if (Number.isNaN(skewMs)) return { check, result: "skipped", detail: "the service does not tell its time" };
  const detail = `within ${Math.ceil(skewMs / 1000)} s of the service's`;
  if (skewMs < 60_000) return { check, result: "ok", detail };
  return { check, result: "warning", detail: `${detail}: set the clock of this machine` };
}

function failed({ settings }: Context, check: string, error: unknown): Check {
  const failure = explain(error, destination(settings));
  const { exitCode = exitCodes.unexpected, message = "", hint } = failure ?? {};
  return {
    check,
    result: "failed",
    detail: withoutKey(settings, [message, hint].filter(Boolean).join(". ")),
    exitCode,
  };
}

function skipped(check: string): Check {
  return { check, result: "skipped", detail: "first mend what failed above" };
}
