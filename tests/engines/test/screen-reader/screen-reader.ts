import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDesktop } from "@petstore/test-kit/desktop";
import { start } from "@petstore/test-servers/processes";

/** The programs of a desktop that speaks: their paths. */
export interface Programs {
  display: string;
  bus: string;
  browser: string;
  keys: string;
  reader: string;
}

/** A text for the voice. */
export interface Spoken {
  at: number;
  text: string;
}

/** A person at a keyboard who hears the screen: Firefox with Orca. */
export interface ScreenReader extends AsyncDisposable {
  /** Presses keys, one after the other, by the names that X has for them. */
  press(...keys: string[]): Promise<void>;
  /** Types letters. */
  type(text: string): Promise<void>;
  /** Everything that was spoken so far. */
  spoken(): Spoken[];
}

/** Debian's launcher of the bus of accessibility is in no PATH. */
const accessibilityLauncher = "/usr/libexec/at-spi-bus-launcher";

/** A bus without services: it starts no program of the machine. */
const busConfiguration = (directory: string) => `<!DOCTYPE busconfig PUBLIC
  "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=${directory}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** Firefox opens a page and nothing else, and tells its accessibility to everybody on the bus. */
const preferences = {
  "accessibility.force_disabled": -1,
  "app.normandy.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "intl.locale.requested": "en-US",
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "signon.rememberSignons": false,
  "termsofuse.bypassNotification": true,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  "ui.prefersReducedMotion": 1,
};

const orcaSettings = {
  general: {
    speechServerFactory: "spoken",
    enableSpeech: true,
    enableBraille: false,
    enableSound: false,
    sayAllOnLoad: false,
    enableKeyEcho: false,
    enableEchoByCharacter: true,
    startingProfile: ["Default", "default"],
    firstStart: false,
  },
  profiles: { default: { profile: ["Default", "default"], pronunciations: {}, keybindings: {} } },
  pronunciations: {},
  keybindings: {},
};

/** Opens an address in Firefox, on a desktop of its own with Orca. */
export async function openScreenReader(address: string, programs: Programs): Promise<ScreenReader> {
  await using resources = new AsyncDisposableStack();
  const desktop = resources.use(openDesktop());
  const { directory } = desktop;
  const profile = join(directory, "profile");
  mkdirSync(profile);
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
  writeFileSync(join(profile, "user.js"), lines.join(""));
  mkdirSync(join(directory, "orca"));
  writeFileSync(join(directory, "orca", "user-settings.conf"), JSON.stringify(orcaSettings));
  copyFileSync(join(import.meta.dirname, "spoken.py"), join(directory, "orca", "spoken.py"));
  writeFileSync(join(directory, "bus.conf"), busConfiguration(directory));

  const screen = ["-screen", "0", "1280x1000x24", "-nolisten", "tcp"];
  const display = start(programs.display, ["-displayfd", "1", ...screen], desktop);
  const [, number = ""] = await display.printed(/(\d+)\n/); // the first that is free
  const bus = start(
    programs.bus,
    ["--config-file", join(directory, "bus.conf"), "--print-address", "--nofork"],
    desktop,
  );
  const [, busAddress = ""] = await bus.printed(/(\S+)\n/);
  const environment = {
    ...desktop.environment,
    DBUS_SESSION_BUS_ADDRESS: busAddress,
    DISPLAY: `:${number}`,
    GNOME_ACCESSIBILITY: "1",
    GSETTINGS_BACKEND: "memory",
    LC_ALL: "C.UTF-8",
    PATH: process.env["PATH"] ?? "",
  };
  const on = { directory, environment };
  start(accessibilityLauncher, ["--launch-immediately"], on);
  const debug = process.env["PETSTORE_TEST_ORCA_LOG"];
  const orca = start(programs.reader, debug ? ["--debug-file", debug] : [], on);
  await orca.printed(/^spoken/m);
  start(programs.browser, ["--profile", profile, "--no-remote", "--width", "1280", "--height", "1000", address], on);
  await run("search", "--sync", "--onlyvisible", "--class", "firefox", "windowfocus", "--sync");

  async function run(...args: string[]): Promise<void> {
    const { exitCode, stderr } = await start(programs.keys, args, on).ended;
    if (exitCode !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  }

  const owned = resources.move();
  return {
    press: (...keys) => run("key", "--delay", "60", ...keys),
    type: (text) => run("type", "--delay", "60", text),
    spoken: () =>
      [...orca.stdout().matchAll(/^spoken (.*)$/gm)].map(([, json = ""]) => {
        const [at, text] = JSON.parse(json) as [number, string];
        return { at, text };
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
