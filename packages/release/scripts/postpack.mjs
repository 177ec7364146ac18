/** Runs after a package is packed. With an argument, waits until the process with that id has ended, whether it has packed or not. */
import { setTimeout } from "node:timers/promises";
import { restore } from "./checkout.mjs";

const packer = Number(process.argv[2]);

if (packer > 0) while (isRunning(packer)) await setTimeout(20);
// npm reads the manifest again before it publishes.
if (packer > 0 || process.env.npm_command !== "publish") restore();

function isRunning(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}
