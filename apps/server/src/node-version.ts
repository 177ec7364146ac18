/** The version that `package.json` asks for. */
export const leastNode = [24, 15] as const;

/** Whether the service runs on a version of Node. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
}

// The first module of the program, so that this comes before anything that an older Node does not have.
if (!isNewEnough(process.versions.node)) {
  process.stderr.write(`petstore-server needs Node ${leastNode.join(".")} or newer; this is ${process.version}\n`);
  process.exit(78); // the configuration is wrong
}
