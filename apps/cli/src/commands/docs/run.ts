import { spawn } from "node:child_process";
import { once } from "node:events";
import { openOutput, printItem } from "../../output/output.ts";
import { print } from "../../output/print.ts";
import { checked } from "../../settings/settings.ts";
import type { Context, Terminal } from "../../types.ts";

/** Opens the reference page, which the service has beside its API: `/docs` beside `/v1`. */
export async function openDocs(context: Context, { print: isPrinted = false }): Promise<void> {
  const { terminal, settings, note } = context;
  const url = (checked(settings, "base-url") as string).replace(/\/v1\/?$/, "/docs");
  // A saved format is for data: scripts need the plain address.
  if (settings.values.output?.origin === "flag --output") {
    await printItem(openOutput(context), { url: {} }, { url });
    return;
  }
  const isWatched = terminal.stdout.isTTY === true && !isPrinted;
  if (isWatched && (await openBrowser(terminal, url))) note(`opened ${url} in the browser`);
  else await print(terminal.stdout, `${url}\n`);
}

/** Whether a browser could be started. */
async function openBrowser({ environment, platform }: Terminal, url: string): Promise<boolean> {
  const [file = "", ...args] = browserCommand(environment, platform);
  // On Linux without a display, the program could only open a browser in this terminal.
  const { DISPLAY, WAYLAND_DISPLAY, BROWSER } = environment;
  if (platform === "linux" && !BROWSER && !DISPLAY && !WAYLAND_DISPLAY) return false;
  const child = spawn(file, [...args, url], { env: environment, stdio: "ignore", detached: true });
  child.unref();
  try {
    await once(child, "spawn");
    return true;
  } catch {
    return false; // there is no such program
  }
}

function browserCommand({ BROWSER: browser }: Terminal["environment"], platform: Terminal["platform"]): string[] {
  if (browser) return browser.split(" ").filter((word) => word !== "%s");
  if (platform === "darwin") return ["open"];
  // Not `start`, which is a command of the shell: the shell would interpret the address.
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}
