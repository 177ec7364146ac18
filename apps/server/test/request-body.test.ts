import { maxBodyBytes, type ErrorCode } from "@petstore/contract";
import { describe, expect, test } from "vitest";
import { type RawAnswer } from "./answer-text.ts";
import { exchange, expectError, expectUnharmed } from "./raw-connection.ts";
import { startServer, type TestServer } from "./start-server.ts";

const json = "Content-Type: application/json\r\n";
const rex = '{"name":"Rex","categoryId":7}';

/** The answer to a body whose characters are bytes. */
async function post(server: TestServer, body: string, headers = json, length = `Content-Length: ${body.length}\r\n`) {
  const authorization = `Authorization: Bearer ${server.apiKey}\r\n`;
  const head = `POST /v1/pets HTTP/1.1\r\nHost: petstore.example\r\nConnection: close\r\n${authorization}${headers}${length}`;
  const answers = await exchange(server.port, `${head}\r\n${body}`);
  expect(answers).toHaveLength(1);
  return answers[0];
}

function postInChunks(server: TestServer, chunks: readonly string[]): Promise<RawAnswer | undefined> {
  const body = [...chunks, ""].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("");
  return post(server, body, json, "Transfer-Encoding: chunked\r\n");
}

async function expectRefused(server: TestServer, answer: RawAnswer | undefined, code: ErrorCode): Promise<void> {
  expectError(answer, code);
  await expectUnharmed(server);
}

async function expectStored(server: TestServer, answer: RawAnswer | undefined): Promise<void> {
  expect(answer?.status).toBe(201);
  await expectUnharmed(server, 1);
}

/** The same bytes that a string has in UTF-8, as characters. */
function utf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function named(name: string): string {
  return `{"name":"${name}","categoryId":7}`;
}

/** A good animal with one property more. */
function withColours(value: string): string {
  return `{"colours":${value},${rex.slice(1)}`;
}

function nested(depth: number, core: string): string {
  return "[".repeat(depth) + core + "]".repeat(depth);
}

describe("size", () => {
  const full = rex.padEnd(maxBodyBytes);
  const fullOfEuros = utf8(withColours(`"${"€".repeat(5_446)}"`)).padEnd(maxBodyBytes);

  test.each([
    ["declared", full],
    ["of characters of three bytes", fullOfEuros],
  ])("201 for a body of 16,384 bytes, %s", async (_name, body) => {
    await using server = await startServer();
    expect(body).toHaveLength(maxBodyBytes);
    await expectStored(server, await post(server, body));
  });

  test("413 body_too_large for a body of one byte more", async () => {
    await using server = await startServer();
    const answer = await post(server, `${full} `);
    await expectRefused(server, answer, "body_too_large");
    expect(answer?.headers["connection"]).toBe("close");
  });

  const inChunks: Record<string, (body: string) => string[]> = {
    "one chunk": (body) => [body],
    "two chunks": (body) => [body.slice(0, 1000), body.slice(1000)],
    "chunks of a byte": (body) => [...body],
  };

  test.each(Object.entries(inChunks))("201 for a body of 16,384 bytes in %s", async (_name, cut) => {
    await using server = await startServer();
    await expectStored(server, await postInChunks(server, cut(full)));
  });

  test.each(Object.entries(inChunks))("413 body_too_large for a body of one byte more in %s", async (_name, cut) => {
    await using server = await startServer();
    const answer = await postInChunks(server, cut(`${full} `));
    await expectRefused(server, answer, "body_too_large");
    expect(answer?.headers["connection"]).toBe("close");
  });

  test("413 body_too_large for an object of 100,000 keys", async () => {
    await using server = await startServer();
    const keys = Array.from({ length: 100_000 }, (_, index) => `"${index}":0`);
    await expectRefused(server, await post(server, `{${keys.join(",")},${rex.slice(1)}`), "body_too_large");
  });

  test("201 for an object of as many keys as fit", async () => {
    await using server = await startServer();
    const keys = Array.from({ length: 1_900 }, (_, index) => `"${index}":0`);
    await expectStored(server, await post(server, `{${keys.join(",")},${rex.slice(1)}`));
  });
});

describe("media type", () => {
  test.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json;charset=utf-8",
    "application/json; charset=UTF-8",
    'application/json; charset="utf-8"',
    'application/json; charset="UTF-8"',
    "application/json; CHARSET=Utf-8",
    "application/json ; charset=utf-8 ; version=1",
  ])("201 for Content-Type %s", async (type) => {
    await using server = await startServer();
    await expectStored(server, await post(server, rex, `Content-Type: ${type}\r\n`));
  });

  test.each([
    "",
    "json",
    "text/plain",
    "text/json",
    "application/json5",
    "application/jsonl",
    "application/vnd.api+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/*",
    "*/*",
    "application/json, text/plain",
    "text/plain, application/json",
    "application/json; charset=utf-16",
    "application/json; charset=utf-16le",
    "application/json; charset=latin1",
    "application/json; charset=iso-8859-1",
    "application/json; charset=us-ascii",
    "application/json; charset=utf8",
    "application/json; charset=utf-7",
    "application/json; charset=utf-8; charset=utf-16",
    "application/json; charset=utf-16; charset=utf-8",
    'application/json; charset=""',
    "application/json\r\nContent-Type: application/json",
    "application/json\r\nContent-Type: text/plain",
    "application/json\r\nContent-Encoding: gzip",
    "application/json\r\nContent-Encoding: br",
    "application/json\r\nContent-Encoding: deflate",
    "application/json\r\nContent-Encoding: GZIP",
    "application/json\r\nContent-Encoding: identity, gzip",
    "application/json\r\nContent-Encoding: identity\r\nContent-Encoding: gzip",
  ])("415 unsupported_media_type for Content-Type %j", async (type) => {
    await using server = await startServer();
    await expectRefused(server, await post(server, rex, `Content-Type: ${type}\r\n`), "unsupported_media_type");
  });

  test("415 unsupported_media_type without a Content-Type", async () => {
    await using server = await startServer();
    await expectRefused(server, await post(server, rex, ""), "unsupported_media_type");
  });

  test("201 with Content-Encoding: identity, which is none", async () => {
    await using server = await startServer();
    await expectStored(server, await post(server, rex, `${json}Content-Encoding: identity\r\n`));
  });
});

describe("text", () => {
  const broken: Record<string, string> = {
    "no bytes": "",
    "white space": " \t\r\n",
    "one byte": "{",
    "an object that does not end": rex.slice(0, -1),
    "a second value": rex + rex,
    "a word behind the object": `${rex} adopted`,
    "a NUL behind the object": `${rex}\0`,
    "a comment": `${rex.slice(0, -1)}/* brown */}`,
    "a comment to the end of the line": `${rex}// brown`,
    "a trailing comma": `${rex.slice(0, -1)},}`,
    "single quotes": rex.replaceAll('"', "'"),
    "names without quotes": "{name:1}",
    NaN: rex.replace("7", "NaN"),
    Infinity: rex.replace("7", "Infinity"),
    "a leading zero": rex.replace("7", "07"),
    "a leading plus": rex.replace("7", "+7"),
    "a hexadecimal number": rex.replace("7", "0x7"),
    "a number that ends in a point": rex.replace("7", "7."),
    "a line break inside a string": named("R\nx"),
    "a NUL inside a string": named("R\0x"),
    "an unknown escape": named(String.raw`R\x65x`),
    "an unfinished escape": named(String.raw`\u00`),
    "an overlong slash": named("\xc0\xaf"),
    "an overlong NUL": named("\xc0\x80"),
    "a lone continuation byte": named("\x80"),
    "a character cut short": named("\xe2\x82"),
    "a character cut short at the end": "\xe2\x82",
    "a surrogate in UTF-8": named("\xed\xa0\x80"),
    "a character beyond Unicode": named("\xf4\x90\x80\x80"),
    "a byte that UTF-8 never has": named("\xff"),
    "Latin-1": named("\xe9"),
    "UTF-16, little end first": Buffer.from(`\ufeff${rex}`, "utf16le").toString("latin1"),
    "UTF-16, big end first": Buffer.from(`\ufeff${rex}`, "utf16le").swap16().toString("latin1"),
    "UTF-16 without a mark": Buffer.from(rex, "utf16le").toString("latin1"),
    "two byte order marks": utf8(`\ufeff\ufeff${rex}`),
    null: "null",
    true: "true",
    "a number": "7",
    "a large number": "9223372036854775807",
    "a string": '"Rex"',
    "an array": `[${rex}]`,
    "a number that no double holds as the name": rex.replace('"Rex"', "1e400"),
    "an integer beyond 64 bits as the name": rex.replace('"Rex"', "9223372036854775808"),
    "an integer of 20 digits as the name": rex.replace('"Rex"', "12345678901234567890"),
    "a fraction that a double would lose as the name": rex.replace('"Rex"', "9007199254740991.4"),
    "a lone surrogate": named(String.raw`\ud83d`),
    "a surrogate pair in the wrong order": named(String.raw`\ude00\ud83d`),
    "an escaped NUL": named(String.raw`R\u0000x`),
  };

  test.each(Object.entries(broken))("400 invalid_request for %s", async (_name, body) => {
    await using server = await startServer();
    await expectRefused(server, await post(server, body), "invalid_request");
    await expectRefused(server, await postInChunks(server, body === "" ? [] : [body]), "invalid_request");
  });

  test("400 invalid_request without a body at all", async () => {
    await using server = await startServer();
    await expectRefused(server, await post(server, "", json, ""), "invalid_request");
  });

  const good: Record<string, [body: string, name: string]> = {
    "a byte order mark": [utf8(`\ufeff${rex}`), "Rex"],
    "white space around": [` \r\n\t${rex}\r\n`, "Rex"],
    "a name of every width": [utf8(named("aé€😀")), "aé€😀"],
    "an escaped surrogate pair": [named(String.raw`\ud83d\ude00`), "😀"],
    "an escaped quote": [named(String.raw`\"[{\\`), '"[{\\'],
    "brackets in a string": [named("[".repeat(200)), "[".repeat(200)],
    "a number that no double holds in an unknown property": [withColours("1e400"), "Rex"],
    "a name twice, of which the last counts": [`{"name":"Bello",${rex.slice(1)}`, "Rex"],
  };

  test.each(Object.entries(good))("201 for %s", async (_what, [body, name]) => {
    await using server = await startServer();
    await expectStored(server, await post(server, body));
    expect(await server.store.getPet(1)).toStrictEqual({ id: 1, name, categoryId: 7, status: "available" });
  });
});

describe("depth", () => {
  const deep: Record<string, string> = {
    "10,000 arrays that do not end": "[".repeat(10_000),
    "8,000 arrays": nested(8_000, ""),
    "2,700 objects": '{"a":'.repeat(2_700) + "1" + "}".repeat(2_700),
    "8,000 arrays in an unknown property": withColours(nested(8_000, "")),
    "8,000 arrays in an unknown property around a number of 20 digits": withColours(
      nested(8_000, "12345678901234567890"),
    ),
    "2,700 objects around a number of 20 digits": `${'{"a":'.repeat(2_700)}12345678901234567890${"}".repeat(2_700)}`,
    "8,000 arrays as the name": rex.replace('"Rex"', nested(8_000, "")),
    "32 arrays in an unknown property": withColours(nested(32, "")),
    "10,000 ends that have no beginning": "]".repeat(10_000),
  };

  test.each(Object.entries(deep))("400 invalid_request for %s", async (_name, body) => {
    await using server = await startServer();
    await expectRefused(server, await post(server, body), "invalid_request");
  });

  test.each(["", "12345678901234567890"])("201 for 31 arrays around %j in an unknown property", async (core) => {
    await using server = await startServer();
    await expectStored(server, await post(server, withColours(nested(31, core))));
  });

  test("201 for 5,000 arrays beside each other", async () => {
    await using server = await startServer();
    await expectStored(server, await post(server, withColours(`[${"[],".repeat(5_000)}0]`)));
  });
});

test("201 without touching the prototype of anything", async () => {
  await using server = await startServer();
  const evil = '{"polluted":true,"status":"sold","toString":1}';
  const body = `{"__proto__":${evil},"constructor":{"prototype":${evil}},"prototype":${evil},${rex.slice(1)}`;
  const answer = await post(server, body);
  expect(JSON.parse(answer?.body ?? "")).toStrictEqual({ id: 1, name: "Rex", categoryId: 7, status: "available" });
  expect({}).not.toHaveProperty("polluted");
  expect({}).not.toHaveProperty("status");
  await expectUnharmed(server, 1);
});

test("400 invalid_request when the fields come only by way of __proto__", async () => {
  await using server = await startServer();
  await expectRefused(server, await post(server, `{"__proto__":${rex}}`), "invalid_request");
});

test.each(["{", "", rex, " ".repeat(20_000)])("200 for GET whatever its body", async (body) => {
  await using server = await startServer();
  const head = `GET /v1/pets HTTP/1.1\r\nHost: petstore.example\r\nAuthorization: Bearer ${server.apiKey}\r\n`;
  const encodings = "Content-Type: text/plain\r\nContent-Encoding: gzip\r\nConnection: close\r\n";
  const answers = await exchange(server.port, `${head}${encodings}Content-Length: ${body.length}\r\n\r\n${body}`);
  expect(answers).toMatchObject([{ status: 200, body: "[]" }]);
  await expectUnharmed(server);
});

test("400 for a string of 8,000 escaped quotes without an end, in a time like that of other strings", async () => {
  await using server = await startServer();
  const hostile = `"${'\\"'.repeat(8_000)}`;
  const harmless = `"${"xy".repeat(8_000)}`;
  const millisecondsFor = async (body: string): Promise<number> => {
    const startedAt = performance.now();
    for (let round = 0; round < 30; round++) expect((await server.call("/pets", { body })).status).toBe(400);
    return performance.now() - startedAt;
  };
  await millisecondsFor(harmless);
  expect(await millisecondsFor(hostile)).toBeLessThan(20 * (await millisecondsFor(harmless)));
});
