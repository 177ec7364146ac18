// The configuration of Yarn runs this instead of Yarn.
const [command = "install", ...args] = process.argv.slice(2);
process.stderr.write(`Use pnpm: npx pnpm@12 ${[command, ...args].join(" ")}\n`);
process.exitCode = 1;
