import { arch, platform } from "node:os";

/**
 * Whether Chromium and other runtimes are available: their packages exist only for this platform.
 */
export const hasRuntimes = platform() === "linux" && arch() === "x64";
