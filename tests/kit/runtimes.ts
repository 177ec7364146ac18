import { createRequire } from "node:module";
import { arch, platform } from "node:os";

const { resolve } = createRequire(import.meta.url);

/** Whether other versions of Node and Chromium are available: their packages exist only for this platform. */
export const hasRuntimes = platform() === "linux" && arch() === "x64";

/** The versions of Node that the published packages support. */
export const runtimes: readonly { major: number; node: string }[] = [
  ...other(22),
  { major: 24, node: process.execPath },
  ...other(26),
];

function other(major: number): typeof runtimes {
  return hasRuntimes ? [{ major, node: resolve(`node-${major}/bin/node`) }] : [];
}
