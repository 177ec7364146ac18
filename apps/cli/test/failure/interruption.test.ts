import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { startRecorder } from "../support/other-servers.ts";
import { spawnPetstore, startPetstore } from "../support/petstore.ts";

test.each(["SIGINT", "SIGTERM"] as const)(
  "130: %s ends a request without a response",
  async (signal) => {
    let isClosed = false;
    await using server = await startRecorder((_request, response) =>
      response.on("close", () => (isClosed = true)),
    );
    await using running = startPetstore("pets list -o json", { server });
    await eventually(() => server.received.length === 1);
    // A package manager forwards the signal that the terminal has already sent: two at once count
    // as one.
    running.kill(signal);
    running.kill(signal);
    const { stderr, ...ended } = await running.ended;
    expect(ended).toEqual({ exitCode: 130, signal: null, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "interrupted", message: "interrupted", exitCode: 130 },
    });
    await eventually(() => isClosed);
  },
);

test("130: a signal, sent twice, ends a command whose output is not read", async () => {
  // More than pipes and buffers hold.
  const pets = Array.from({ length: 9_999 }, (_, id) => ({
    id,
    name: "Rex",
    categoryId: 1,
    status: "available",
  }));
  await using server = await startRecorder((_request, response) =>
    response.end(JSON.stringify(pets)),
  );
  const child = spawnPetstore("pets list --all", { server });
  const exited = once(child, "exit");
  await once(child.stdout, "readable");
  // The first stops the request. A later one, which is no duplicate of the first, ends the process.
  while (child.exitCode === null) {
    child.kill("SIGTERM");
    await sleep(20);
  }
  expect(await exited).toEqual([130, null]);
});
