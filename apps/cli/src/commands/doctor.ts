import { X509Certificate } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { isApiError, type PageList, type PetstoreClient } from "@petstore/client";
import packageJson from "../../package.json" with { type: "json" };
import { openClient, openOutput, type Context } from "../context.ts";
import { explain } from "../explain.ts";
import { CommandError, exitCodes, unreadable, type ExitCode } from "../failure.ts";
import { describeProxy, networkFor } from "../network.ts";
import { printPages } from "../output.ts";
import { checkSetting, settingNames } from "../setting-definitions.ts";
import { connectionSettings, destination, type Settings, withoutKey } from "../settings.ts";
import { pathOf, type Terminal } from "../terminal.ts";

/** A check and its result. */
interface Check {
  check: string;
  result: "ok" | "warning" | "failed" | "skipped";
  /** The finding, and advice. */
  detail: string;
  exitCode?: ExitCode;
}

const styles = { ok: "green", warning: "yellow", failed: "red", skipped: "dim" } as const;

export async function diagnose(context: Context): Promise<void> {
  const local = [
    checkProgram(context.terminal),
    ...checkSettings(context.settings),
    checkConfigFile(context),
    ...checkNetwork(context),
  ];
  const isUsable = local.every(({ result }) => result !== "failed");
  const skipped = found("skipped", "service", "fix the failed checks above first");
  const checks = [...local, ...(isUsable ? await checkService(context) : [skipped])];
  const shown = checks.map(({ check, result, detail }) => ({ check, result, detail }));
  const columns = { check: {}, result: { style: ({ result }: Pick<Check, "result">) => styles[result] }, detail: {} };
  await printPages(openOutput(context), columns, [shown]);

  const failures = checks.filter(({ result }) => result === "failed");
  if (failures.length === 0) return;
  const names = failures.map(({ check }) => check).join(", ");
  throw new CommandError({
    exitCode: failures[0]?.exitCode ?? exitCodes.unexpected,
    code: "unhealthy",
    message: `${failures.length === 1 ? "One check" : `${failures.length} checks`} failed: ${names}`,
  });
}

function checkProgram({ nodeVersion, platform }: Context["terminal"]): Check {
  return found("ok", "program", `petstore ${packageJson.version}, Node ${nodeVersion}, ${platform}`);
}

function checkSettings({ values }: Settings): Check[] {
  return settingNames.flatMap((name): Check[] => {
    const setting = values[name];
    if (setting === undefined || setting.origin === "default") return [];
    try {
      checkSetting(name, setting);
    } catch (error) {
      return [{ check: name, result: "failed", detail: (error as Error).message, exitCode: exitCodes.usage }];
    }
    return [found("ok", name, `${name === "api-key" ? "" : `${setting.value}, `}from ${setting.origin}`)];
  });
}

/** The file may contain keys. */
function checkConfigFile(context: Context): Check {
  const { settings, terminal } = context;
  const { configPath, problem } = settings;
  const check = "configuration file";
  if (problem !== undefined) return failed(context, check, problem);
  const mode = statSync(configPath, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return found("ok", check, `${configPath} (none yet)`);
  const isPrivate = terminal.platform === "win32" || (mode & 0o077) === 0;
  return isPrivate
    ? found("ok", check, configPath)
    : found("warning", check, `others can read it: run chmod 600 ${quoted(configPath)}`);
}

/** A path as a word of a shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** The proxy and certificates in use, if any. */
function checkNetwork({ settings, terminal }: Context): Check[] {
  const { value: baseUrl = "" } = settings.values["base-url"] ?? {};
  if (!URL.canParse(baseUrl)) return [];
  try {
    const { proxy } = networkFor(terminal, baseUrl);
    return [
      ...(proxy === undefined ? [] : [found("ok", "proxy", describeProxy(proxy))]),
      ...checkCertificates(terminal),
    ];
  } catch (error) {
    return [{ check: "network", result: "failed", detail: (error as Error).message, exitCode: exitCodes.usage }];
  }
}

/** Node ignores a file without certificates, so every file is read here. */
function checkCertificates(terminal: Terminal): Check[] {
  const check = "certificates";
  const used = new Map<string, string>();
  const problems: string[] = [];
  for (const variable of ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"]) {
    const file = terminal.environment[variable];
    if (!file) continue;
    try {
      const path = realpathSync(pathOf(terminal, file));
      const text = readFileSync(path, "utf8");
      if (isCertificate(text)) used.set(path, used.get(path) ?? file);
      else problems.push(`${variable} ${file} has no PEM certificate`);
    } catch (error) {
      problems.push(unreadable(`${variable} ${file}`, error).message);
    }
  }
  if (problems.length > 0) return [found("warning", check, `${problems.join("; ")}. Node ignores this`)];
  return used.size === 0 ? [] : [found("ok", check, `those of Node and of ${[...used.values()].join(", ")}`)];
}

function isCertificate(pem: string): boolean {
  try {
    return pem.includes("-----BEGIN ") && new X509Certificate(pem).subject !== "";
  } catch {
    return false;
  }
}

async function checkService(context: Context): Promise<Check[]> {
  const { signal, now } = context.terminal;
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
  const reached = found("ok", "service", `responded in ${now() - startedAt} ms`);
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
    return { ...found("ok", check, "the key may read them"), date: response.headers.get("Date") };
  } catch (error) {
    if (!isApiError(error, "insufficient_scope")) return failed(context, check, error);
    return { ...found("warning", check, "the key may not read them"), date: error.headers.get("Date") };
  }
}

/** An import relies on the clock to decide whether the service still remembers a row. */
function checkClock(date: string | null | undefined, now: number): Check {
  const check = "clock";
  const skewMs = Math.abs(Date.parse(date ?? "") - now);
  if (Number.isNaN(skewMs)) return found("skipped", check, "the service does not report its time");
  const detail = `within ${Math.ceil(skewMs / 1000)} s of the service's`;
  return skewMs < 60_000
    ? found("ok", check, detail)
    : found("warning", check, `${detail}: set the clock of this machine`);
}

function found(result: Check["result"], check: string, detail: string): Check {
  return { check, result, detail };
}

function failed({ settings }: Context, check: string, error: unknown): Check {
  const { exitCode = exitCodes.unexpected, message, hint } = explain(error, destination(settings)) ?? {};
  const detail = withoutKey(settings, [message, hint].filter(Boolean).join(". "));
  return { check, result: "failed", detail, exitCode };
}
