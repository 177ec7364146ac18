import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";

/**
 * Where programs with a window run, such as browsers: away from the desktop of the person who runs
 * the tests.
 */
export interface Desktop extends AsyncDisposable {
  /** Everything that its programs write. */
  directory: string;
  environment: Record<string, string>;
}

/**
 * When it is closed, its programs have ended, with all that they started, and its directory is
 * gone.
 */
export function openDesktop(): Desktop {
  const directory = mkdtempSync(join(tmpdir(), "petstore-"));
  return {
    directory,
    environment: environmentOf(directory),
    async [Symbol.asyncDispose]() {
      // Those that are about to end still write to the directory.
      await eventually(() => {
        const running = programsOf(directory);
        for (const { pid } of running) end(pid);
        return running.length === 0;
      });
      rmSync(directory, { recursive: true });
    },
  };
}

/**
 * The complete environment of a program with a window. It must not find a message bus: a bus starts
 * programs of the machine, which outlive it and mount file systems into its directories, for
 * example xdg-desktop-portal and gvfs. Where neither a bus nor an address is found, libraries start
 * one: see "Automatic launching" in dbus-launch(1). So there is an address, and nothing listens
 * there.
 */
export function environmentOf(directory: string): Record<string, string> {
  const noBus = `unix:path=${join(directory, "no-bus")}`;
  return {
    HOME: directory,
    TMPDIR: directory,
    XDG_CACHE_HOME: directory,
    XDG_CONFIG_HOME: directory,
    XDG_DATA_HOME: directory,
    XDG_RUNTIME_DIR: directory,
    XDG_STATE_HOME: directory,
    DBUS_SESSION_BUS_ADDRESS: noBus,
    DBUS_SYSTEM_BUS_ADDRESS: noBus,
    LC_ALL: "C.UTF-8",
  };
}

/**
 * The programs that run on a desktop, as far as proc_pid_environ(5) tells: Chromium writes over its
 * environment.
 */
export function programsOf(directory: string): { pid: number; command: string }[] {
  return read(() => readdirSync("/proc"), [])
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => linesOf(`/proc/${pid}/environ`).includes(`XDG_RUNTIME_DIR=${directory}`))
    .map((pid) => ({ pid: Number(pid), command: linesOf(`/proc/${pid}/cmdline`).join(" ") }));
}

const linesOf = (file: string) => read(() => readFileSync(file, "utf8"), "").split("\0");

/** What is read, or nothing: a program may end meanwhile, or belong to someone else. */
function read<Content>(from: () => Content, nothing: Content): Content {
  try {
    return from();
  } catch {
    return nothing;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
