import { describe, expect, test } from "vitest";
import { checkMediaType, parseBody } from "../src/index.ts";
import { expectHttpError } from "./service.ts";

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

const utf8 = new TextEncoder();

describe("a media type", () => {
  const good = [
    "application/json",
    "\tapplication/json\t",
    'APPLICATION/JSON ; v=1; Charset="UTF-8"',
    'application/json; ;;note="a \\" ; charset=latin1"; charset=utf-8;',
    "application/json; xcharset=latin1",
    'application/json; note="a',
    'application/json; charset="utf\\-8"',
  ];
  test.for(good)("%j is JSON in UTF-8", (type) => {
    expect(() => checkMediaType(type)).not.toThrow();
    expect(() => checkMediaType(type, "Identity")).not.toThrow();
  });

  const charsets = ["latin1", "utf-8x", '"utf-8', 'utf-8"', "utf-8; charset=utf-8"];
  const types = ["text/plain", "xapplication/json", "application/jsonx"];
  const bad = [
    undefined,
    "",
    ...types,
    "application/json, application/json",
    "application/json charset=utf-8",
  ];
  test.for([...bad, ...charsets.map((charset) => `application/json; charset=${charset}`)])(
    "%j is rejected",
    async (type) => {
      const message = "The body must be JSON in UTF-8, sent with Content-Type: application/json.";
      await expectHttpError(() => checkMediaType(type), "unsupported_media_type", message, {});
    },
  );

  test.for(["gzip", "", "identity, identity"])(
    "with the encoding %j is rejected",
    async (encoding) => {
      const check = () => checkMediaType("application/json", encoding);
      const message = "The body must not have a content encoding.";
      await expectHttpError(check, "unsupported_media_type", message, {
        "Accept-Encoding": "identity",
      });
    },
  );
});

describe("a body", () => {
  test.for<[string, string, unknown]>([
    ["a byte order mark", "\uFEFF{}", {}],
    ["32 levels", nested(32), JSON.parse(nested(32))],
    ["a large integer", "9007199254740993", 9007199254740993n],
    ["a number that no type can hold", "1e400", { rawJSON: "1e400" }],
  ])("of %s is parsed", ([_name, text, value]) => {
    expect(parseBody(utf8.encode(text))).toEqual(value);
  });

  test("that is a text already is parsed", () => {
    expect(parseBody('{"name":"Zoë"}')).toEqual({ name: "Zoë" });
  });

  test.for<[string, string | Uint8Array, string]>([
    ["nothing", "", "the body is empty, but must be a JSON object."],
    ["broken JSON", '{"name":"Rex"', "the body is not valid JSON."],
    ["bytes that are not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "the body is not valid UTF-8."],
    ["33 levels", nested(33), "the body nests deeper than 32 levels."],
    ["33 levels of broken JSON", "[".repeat(33), "the body nests deeper than 32 levels."],
    [
      "33 levels under a repeated name",
      `{"a":${nested(32)},"a":1}`,
      "the body nests deeper than 32 levels.",
    ],
  ])("of %s is rejected", async ([_name, body, message]) => {
    const bytes = typeof body === "string" ? utf8.encode(body) : body;
    await expectHttpError(() => parseBody(bytes), "invalid_request", message, {});
  });
});
