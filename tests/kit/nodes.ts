import { isProof, testsShipped } from "./endurance.ts";
import { hasRuntimes } from "./runtimes.ts";
import { resolveTool } from "./tools.ts";

/**
 * The versions of Node to test on: the repository's, in CI also the oldest one that the client
 * supports, and in the proof all.
 */
export const nodes: readonly { major: number; node: string }[] = [
  ...(testsShipped || isProof ? other(22) : []),
  { major: 24, node: process.execPath },
  ...(isProof ? other(26) : []),
];

function other(major: number): typeof nodes {
  return hasRuntimes ? [{ major, node: resolveTool(`node-${major}/bin/node`) }] : [];
}
