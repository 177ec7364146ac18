import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { startServer } from "@petstore/server/start-server";
import { eventually } from "@petstore/test-kit/eventually";
import { describe, expect, test } from "vitest";
import { animals } from "./catalogue.ts";
import { refuse, startRecorder } from "./other-servers.ts";
import { petstore, petstoreOnScreen, spawnPetstore } from "./petstore.ts";

describe("errors", () => {
  test.for<[exitCode: number, status: number]>([
    [3, 400],
    [4, 401],
    [5, 404],
    [6, 409],
    [7, 429],
    [8, 503],
  ])(
    "%i: a response of %i is printed on standard output, and the error on standard error",
    async ([exitCode, status]) => {
      await using server = await startRecorder(refuse(status, "some_code"));
      const ended = await petstore("api pets --retries 0 --jq .name", { server });
      expect(ended).toMatchObject({ exitCode, stdout: `{"code":"some_code","message":"No.","status":${status}}\n` });
      expect(ended.stderr).toMatch(new RegExp(`^error: .*No\\. \\(${status} some_code\\)`));
    },
  );
});

describe("a response that is not JSON", () => {
  const page = Buffer.from("<h1>\u001b[31mPets</h1>\xff\n\ttwo", "latin1");
  const serve = (type: string) =>
    startRecorder((_request, response) => response.writeHead(200, { ...(type && { "Content-Type": type }) }).end(page));

  test.for(["text/html", ""])("0: is printed as it is with the type %j, but harmlessly on a terminal", async (type) => {
    await using server = await serve(type);
    const child = spawnPetstore("api pets", { server });
    const [stdout, [exitCode]] = await Promise.all([buffer(child.stdout), once(child, "exit")]);
    expect([exitCode, stdout.toString("latin1")]).toEqual([0, page.toString("latin1")]);
    const headed = await petstore("api pets -i", { server });
    expect(headed.stdout).toMatch(/^HTTP 200 OK\n(?:[\w-]+: .*\n)+\n<h1>/);
    const shown = await petstoreOnScreen("api pets --color never", { server });
    expect(shown.screen()).toEqual([String.raw`<h1>\u001b[31mPets</h1>�`, String.raw`\u0009two`]);
    expect(shown.exitCode).toBe(0);
  });

  test.for(["--jq .", "--paginate", "-o json"])("8: cannot be used with %s", async (flags) => {
    await using server = await serve("text/html");
    const { exitCode, stdout, stderr } = await petstore(`api pets ${flags}`, { server });
    expect([exitCode, stdout, stderr]).toEqual([8, "", expect.stringContaining("body must be JSON")]);
  });

  test.for(["application/problem+json; charset=utf-8"])("8: is an error if its type is %s", async (type) => {
    await using server = await serve(type);
    expect(await petstore("api pets", { server })).toMatchObject({ exitCode: 8, stdout: "" });
  });
});

test.for([
  [8, 200, "(maxResponseBytes)"],
  [3, 400, "(400 unknown)"],
] as const)(
  "%i: a body without an end and with the status %i is read up to a limit",
  async ([code, status, message]) => {
    let isComplete: boolean | undefined;
    await using server = await startRecorder((_request, response) => {
      response.writeHead(status).on("close", () => (isComplete = response.writableFinished));
      let chunks = 0;
      const send = (): void => {
        while (chunks++ < 128) if (!response.write("x".repeat(2 ** 20))) return void response.once("drain", send);
        response.end();
      };
      send();
    });
    const { exitCode, stdout, stderr } = await petstore("api pets", { server });
    expect([exitCode, stdout]).toEqual([code, ""]);
    expect(stderr).toContain(message);
    await eventually(() => isComplete === false);
  },
);

test("0: --include prints the head before the body", async () => {
  await using server = await startServer();
  await server.store.importPets(animals(1));
  const { stdout } = await petstore("api pets -i --jq .[].id", { server });
  expect(stdout).toMatch(/^HTTP 200 OK\n(?:[\w-]+: .*\n)+\n1\n$/);
});
