/**
 * Runs `petstore-server serve` on any free port, and stops it like an operator as soon as it
 * serves. Exits with its code.
 */
import { spawn } from "node:child_process";

const environment = { ...process.env, PETSTORE_PORT: "0", PETSTORE_DRAIN_MS: "0" };
const server = spawn(process.execPath, process.argv.slice(2), {
  env: environment,
  stdio: ["ignore", "pipe", "inherit"],
});
let printed = "";
let isStopping = false;
server.stdout.setEncoding("utf8").on("data", (text: string) => {
  process.stdout.write(text);
  printed += text;
  if (isStopping || !/http:\/\/\S+\/v1\b/.test(printed)) return;
  // Once: a signal that arrives while the process is ending would end it without its exit code.
  isStopping = true;
  server.kill("SIGTERM");
});
server.on("close", (code) => (process.exitCode = code ?? 1));
