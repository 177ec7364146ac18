import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@petstore/contract/fields";
import packageJson from "../package.json" with { type: "json" };
import type { Selection } from "./command-line/selection.ts";
import { replaceFile, userDirectory } from "./config-file.ts";
import type { Context } from "./context.ts";
import { fetchFor } from "./network.ts";
import type { Terminal } from "./terminal.ts";
import { isUpdate } from "./version-order.ts";

/** What is known about updates, in a file. */
interface State {
  checkedAtMs?: number;
  /** When a notice was last shown. */
  shownAtMs?: number;
  /** The latest version, according to the registry. */
  latest?: string;
}

const dayMs = 24 * 60 * 60 * 1000;
const checkLimitMs = 3_000;

/** Shows a notice of a new version, if an earlier check found one, and starts a check in the background. Each at most once a day. */
export async function noticeUpdate(
  { terminal, isQuiet, wantsJson, paintError }: Context,
  { json, jq }: Pick<Selection, "json" | "jq">,
): Promise<void> {
  if (isQuiet || wantsJson || json !== undefined || jq !== undefined || isUnwanted(terminal)) return;
  const state = readState(terminal);
  const now = terminal.now();
  const isDue = !isRecent(state.checkedAtMs, now);
  const { latest = "" } = state;
  const isShown = isUpdate(latest, packageJson.version) && !isRecent(state.shownAtMs, now);
  if (!isShown && !isDue) return;
  try {
    writeState(terminal, { ...state, ...(isDue && { checkedAtMs: now }), ...(isShown && { shownAtMs: now }) });
  } catch {
    return; // every command would show it, or start a check
  }
  if (isShown) {
    const { name, version } = packageJson;
    terminal.stderr.write(
      `${paintError("dim", "note:")} petstore ${latest} is available, and you have ${version}. ` +
        `Update with: npm install --global ${name}\n`,
    );
  }
  if (isDue) await startCheck(terminal);
}

/** Whether a notice would not be read, or is turned off. A checkout is not updated with npm. */
function isUnwanted({ environment, program }: Terminal): boolean {
  const { CI: ci = "", PETSTORE_NO_UPDATE_NOTIFIER: own, NO_UPDATE_NOTIFIER: shared } = environment;
  const isInCi = !["", "0", "false"].includes(ci) || ciVariables.some((name) => environment[name]);
  return isInCi || Boolean(own || shared) || program.some((word) => word.endsWith(".ts"));
}

/** Of systems that do not set CI, or did not always: Azure, TeamCity, CodeBuild, Jenkins. */
const ciVariables = [
  "CONTINUOUS_INTEGRATION",
  "BUILD_NUMBER",
  "RUN_ID",
  "TF_BUILD",
  "TEAMCITY_VERSION",
  "CODEBUILD_BUILD_ID",
  "JENKINS_URL",
];

/** A time in the future, after the clock was wrong, is not recent. */
function isRecent(timeMs: number | undefined, now: number): boolean {
  return timeMs !== undefined && timeMs <= now && now - timeMs < dayMs;
}

/** The process does not wait for the check. */
async function startCheck({ program: [file = "", ...args], environment }: Terminal): Promise<void> {
  const { spawn } = await import("node:child_process");
  const options = { env: environment, stdio: "ignore", detached: true, windowsHide: true } as const;
  const child = spawn(file, [...args, "__check-for-update"], options);
  child.on("error", () => {});
  child.unref();
}

/** Asks the registry for the latest version, and saves it for {@link noticeUpdate}. Sends nothing about the user. */
export async function checkForUpdate({ terminal }: Context): Promise<void> {
  // A name lookup cannot be aborted.
  terminal.endWithin(checkLimitMs);
  const { npm_config_registry: lower, NPM_CONFIG_REGISTRY: upper } = terminal.environment;
  const registry = lower || upper || "https://registry.npmjs.org";
  const url = `${registry.replace(/\/$/, "")}/${packageJson.name.replace("/", "%2f")}/latest`;
  const response = await fetchFor(terminal, url)(url, {
    method: "GET",
    headers: { Accept: "application/json" },
    body: null,
    signal: terminal.signal,
    redirect: "manual",
  });
  const manifest: unknown = JSON.parse(await response.text());
  if (!response.ok || !isObject(manifest) || typeof manifest["version"] !== "string") return;
  writeState(terminal, { ...readState(terminal), latest: manifest["version"] });
}

function stateFile(terminal: Terminal): string {
  return join(userDirectory(terminal, "state"), "update.json");
}

/** A missing or damaged file counts as empty. */
function readState(terminal: Terminal): State {
  try {
    const state: unknown = JSON.parse(readFileSync(stateFile(terminal), "utf8"));
    if (!isObject(state)) return {};
    const { checkedAtMs, shownAtMs, latest } = state;
    return {
      ...(typeof checkedAtMs === "number" && { checkedAtMs }),
      ...(typeof shownAtMs === "number" && { shownAtMs }),
      ...(typeof latest === "string" && { latest }),
    };
  } catch {
    return {};
  }
}

function writeState(terminal: Terminal, state: State): void {
  replaceFile(stateFile(terminal), `${JSON.stringify(state)}\n`);
}
