import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { openDesktop } from "@petstore/test-kit/desktop";
import { installed } from "@petstore/test-kit/programs";
import { start } from "@petstore/test-servers/processes";
import { busConfiguration, orcaSettings, preferences } from "./settings.ts";

/** A text that the voice was given. */
export interface Spoken {
  /** In milliseconds, as of `Date.now()`. */
  at: number;
  text: string;
}

/** Firefox with Orca, for somebody who has a keyboard and hears what is on the screen. */
export interface ScreenReader extends AsyncDisposable {
  /** Presses a key, by the name that X has for it, such as `shift+Tab`. */
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Everything that was spoken so far. */
  spoken(): Spoken[];
}

/** The path of a program, or nothing. */
const find = (name: Parameters<typeof installed>[0]) => installed(name)[0] ?? "";

const programs = {
  display: find("Xvfb"),
  messageBus: find("dbus-daemon"),
  accessibilityBus: find("at-spi-bus-launcher"),
  reader: find("orca"),
  browser: find("firefox-esr"),
  keyboard: find("xdotool"),
};

/** Whether this machine has everything that a screen reader needs. */
export const hasScreenReader = !Object.values(programs).includes("");

/** Opens a page on a desktop of its own. */
export async function openScreenReader(address: string): Promise<ScreenReader> {
  await using resources = new AsyncDisposableStack();
  const desktop = resources.use(openDesktop()); // ends all that is started below
  const { directory } = desktop;
  const write = (name: string, content: string, mode?: number) =>
    writeFileSync(join(directory, name), content, { mode });
  for (const name of ["bin", "orca", "profile"]) mkdirSync(join(directory, name));
  write("bus.conf", busConfiguration(directory));
  write("profile/user.js", preferences);
  write("orca/user-settings.conf", JSON.stringify(orcaSettings));
  copyFileSync(join(import.meta.dirname, "spoken.py"), join(directory, "orca/spoken.py"));
  // Orca asks pgrep for another Orca, and would not start beside that of the person who runs the
  // tests.
  write("bin/pgrep", "#!/bin/sh\nexit 1\n", 0o755);

  const screen = ["-screen", "0", "1280x1000x24", "-nolisten", "tcp"];
  const display = start(programs.display, ["-displayfd", "1", ...screen], desktop);
  const [, number = ""] = await display.printed(/(\d+)\n/); // the first that is free
  const bus = start(
    programs.messageBus,
    ["--config-file", join(directory, "bus.conf"), "--print-address", "--nofork"],
    desktop,
  );
  const [, busAddress = ""] = await bus.printed(/(\S+)\n/);
  const environment = {
    ...desktop.environment,
    DBUS_SESSION_BUS_ADDRESS: busAddress,
    DISPLAY: `:${number}`,
    GSETTINGS_BACKEND: "memory",
    PATH: [join(directory, "bin"), process.env["PATH"]].join(delimiter),
  };
  const options = { directory, environment };
  start(programs.accessibilityBus, ["--launch-immediately"], options);
  const log = process.env["PETSTORE_TEST_ORCA_LOG"];
  const reader = start(programs.reader, log === undefined ? [] : ["--debug-file", log], options);
  await reader.printed(/^spoken/m); // "Screen reader on."
  start(
    programs.browser,
    ["--profile", join(directory, "profile"), "--no-remote", address],
    options,
  );
  await run("search", "--sync", "--onlyvisible", "--class", "firefox", "windowfocus", "--sync");

  async function run(...args: string[]): Promise<void> {
    const { exitCode, stderr } = await start(programs.keyboard, args, options).ended;
    if (exitCode !== 0) throw new Error(`xdotool ${args.join(" ")}: ${stderr}`);
  }

  const owned = resources.move();
  return {
    press: (key) => run("key", key),
    type: (text) => run("type", "--delay", "60", text),
    spoken: () =>
      [...reader.stdout().matchAll(/^spoken (.*)$/gm)].map(([, line = ""]) => {
        const [at, text] = JSON.parse(line) as [number, string];
        return { at, text };
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
