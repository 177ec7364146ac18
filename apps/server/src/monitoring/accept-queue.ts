import { readFileSync } from "node:fs";

/** The state of a socket that listens, in /proc/self/net/tcp. */
const listening = "0A";

/**
 * How many connections to a port wait for a process to accept them; `undefined` where the system does not report it. Linux reports it as
 * the receive queue of the listening socket.
 */
export function acceptQueue(port: number): number | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  let length: number | undefined;
  for (const file of ["/proc/self/net/tcp", "/proc/self/net/tcp6"]) {
    for (const line of readIfAny(file).split("\n")) {
      const [, local = "", , state, queues = ""] = line.trim().split(/\s+/);
      if (state !== listening || !local.endsWith(suffix)) continue;
      length = (length ?? 0) + Number.parseInt(queues.split(":")[1] ?? "0", 16);
    }
  }
  return length;
}

function readIfAny(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
