import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { startRecorder, unusedAddress } from "../support/other-servers.ts";
import { petstore, petstoreOnScreen, petstoreProcess } from "../support/petstore.ts";
import { longKey, saveConfig } from "../support/saved-settings.ts";

const keyring = fileURLToPath(new URL("../support/fake-keyring.cjs", import.meta.url));
const shownKey = "pst_test_…0any";

describe("--verbose writes requests and the heads of responses to standard error", () => {
  test("0: with retries, and without the key", async () => {
    let isFirst = true;
    await using server = await startRecorder((_request, response) => {
      response.sendDate = false;
      const headers = { "Content-Length": 2, "Retry-After": "0", "X-Request-Id": "request-7" };
      response.writeHead(isFirst ? 503 : 200, headers).end("[]");
      isFirst = false;
    });
    const { exitCode, stdout, stderr } = await petstoreProcess("pets list --status sold -qv", { server });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    const request = [
      `> GET ${server.url}/pets?limit=20&status=sold`,
      `> authorization: Bearer ${shownKey}`,
      "> user-agent: petstore-cli/0.0.0",
      ">",
    ];
    const head = [
      "< connection: keep-alive",
      "< content-length: 2",
      "< keep-alive: timeout=5",
      "< retry-after: 0",
      "< x-request-id: request-7",
      "<",
    ];
    expect(stderr.replaceAll(/\d+ ms/g, "5 ms").split("\n")).toEqual([
      ...request,
      "< HTTP 503 Service Unavailable in 5 ms",
      ...head,
      "* attempt 2 in 5 ms, after: listPets: [] (503 unknown)",
      ...request,
      "< HTTP 200 OK in 5 ms",
      ...head,
      "",
    ]);
  });

  test("0: with the body of a request, exactly as it is sent", async ({ server }) => {
    const args = ["pets", "create", "-v", "--name", "\u202e小狗", "--category-id", "9223372036854775807"];
    const { exitCode, stderr } = await petstore([...args, "--idempotency-key", "key-1"], { server });
    expect(exitCode).toBe(0);
    const body = String.raw`{"name":"\u202e小狗","categoryId":9223372036854775807}`;
    expect(stderr).toContain(
      `\n> idempotency-key: key-1\n> user-agent: petstore-cli/0.0.0\n>\n> ${body}\n< HTTP 201 Created`,
    );
  });

  test("9: with the reasons when there is no response", async () => {
    const server = { url: await unusedAddress(), apiKey: longKey("any") };
    const { stderr } = await petstore("pets list -v --retries 0", { server });
    expect(stderr).toMatch(/^\* no response in \d+ ms: fetch failed: connect ECONNREFUSED 127\.0\.0\.1:\d+$/m);
  });

  test("0: harmless, and within a narrow terminal", async () => {
    await using server = await startRecorder((_request, response) =>
      response.writeHead(200, { "X-Odd": "\u009b31m" }).end("[]"),
    );
    const shown = await petstoreOnScreen("pets list -v", { server, columns: 40, environment: { NO_COLOR: "1" } });
    expect(shown.screen()).toContain(String.raw`< x-odd: \u009b31m`);
    expect(shown.raw().match(/[^\P{Cc}\r\n]/u)).toBeNull();
  });
});

test("0: PETSTORE_LOG of the client has no effect", async ({ server }) => {
  const ended = await petstoreProcess("pets list -q", { server, environment: { PETSTORE_LOG: "debug" } });
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
});

describe("the key is in no output with --verbose", () => {
  const commands = [
    "pets list",
    "pets list --jq .",
    "pets get 7",
    "pets create --name Rex --category-id 7",
    "pets import - --import-id any",
    "orders list",
    "api pets",
    "auth status",
    "auth login",
  ];

  test.for<[place: string, commands: string[], formats: string[], saved: Record<string, string>]>([
    ["the file", commands, ["table", "json"], { "api-key": longKey("any") }],
    ["the keyring", ["pets list", "auth status"], ["table"], { "api-key-storage": "keyring" }],
    ["no place yet", ["auth login"], ["table", "json"], {}],
  ])("0-9: if a response repeats a key from %s", async ([, lines, formats, saved], { home }) => {
    const key = longKey("any");
    await using server = await startRecorder(({ headers: { authorization = "" } }, response) => {
      const text = `${authorization} ${JSON.stringify({ sent: authorization })}`;
      response.setHeader("X-Repeat", text).setHeader("X-Request-Id", text).writeHead(400);
      response.end(JSON.stringify({ code: text, message: text, status: 400 }));
    });
    writeFileSync(join(home, "keyring.json"), JSON.stringify({ [`petstore: default ${server.url}`]: key }));
    saveConfig(home, { profiles: { default: { "base-url": server.url, ...saved } } });
    for (const line of lines) {
      for (const format of formats) {
        const input = line === "auth login" ? key : '{"name":"Rex","categoryId":7}';
        const environment = { PETSTORE_OUTPUT: format };
        const { stdout, stderr } = await petstore(`${line} -v`, { home, input, environment, keyring });
        expect(stderr).toContain("< x-repeat: ");
        expect(`${line}: ${stdout}${stderr}`).not.toContain(key.slice(12, 36));
      }
    }
  });
});
