import { describe, expect, onTestFinished, test } from "vitest";
import { hashSecret, issueKey } from "../src/api-key.ts";
import { startServer } from "./start-server.ts";

// nodejs/node#63785: V8 takes an escaped name for the name of an earlier text.
describe("a body that another key sent before", () => {
  const largest = "9223372036854775807";
  const sequences: [name: string, before: string[], body: string, stored: string][] = [
    [
      "a name that begins with a backslash",
      ['{"z":1,"categoryId":7,"\\\\u00":"p"}'],
      '{"z":1,"categoryId":7,"\\u006eame":"v"}',
      '"v","categoryId":7,"status":"available"',
    ],
    [
      "the name of a field in its escaped spelling",
      ['{"name":"p","categoryId":1,"\\\\u0073":1}'],
      '{"name":"v","categoryId":1,"\\u0073tatus":"sold"}',
      '"v","categoryId":1,"status":"sold"',
    ],
    [
      "names of one backslash",
      ['{"name":"p","categoryId":1,"\\\\":1}', '{"\\\\":1}'],
      `{"name":"v","categoryId":${largest},"\\u00e9":1}`,
      `"v","categoryId":${largest},"status":"available"`,
    ],
  ];

  test.each(sequences)(
    "201 for what the second key sends, whatever the first: %s",
    async (_name, before, body, stored) => {
      await using server = await startServer();
      const other = issueKey({ name: "other", kind: "test", scopes: ["write"], createdAt: Date.now() });
      await server.store.createKey(other.key, hashSecret(other.secret));
      for (const each of before) await server.call("/pets", { body: each, apiKey: other.secret });
      const { status, text } = await server.call("/pets", { body });
      expect([status, text.replace(/^\{"id":\d+,/, "")]).toStrictEqual([201, `"name":${stored}}`]);
    },
  );
});

test("500 internal_error, and not 400, when the parser itself fails", async () => {
  await using server = await startServer();
  const rex = '{"name":"Rex","categoryId":7}';
  const { parse } = JSON;
  onTestFinished(() => void (JSON.parse = parse));
  JSON.parse = (text: string): unknown => {
    if (text === rex) throw new RangeError("Out of memory");
    return parse(text);
  };
  expect(await server.call("/pets", { body: rex })).toMatchObject({ status: 500, body: { code: "internal_error" } });
});
