import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { acceptQueue } from "../../src/monitoring/accept-queue.ts";

const listener = `
  const server = require("node:net").createServer().listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

test("the accept queue holds the connections that a stopped process has not accepted", async () => {
  const child = spawn(process.execPath, ["-e", listener], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(text);
  expect(acceptQueue(port)).toBe(0);
  child.kill("SIGSTOP");
  const sockets = Array.from({ length: 3 }, () => connect(port, "127.0.0.1"));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await expect.poll(() => acceptQueue(port)).toBe(3);
  child.kill("SIGCONT");
  await expect.poll(() => acceptQueue(port)).toBe(0);
});
