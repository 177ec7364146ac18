import type { Call, TestResponse as Answer } from "@petstore/server/start-server";
import { describe, expect, test } from "vitest";
import { call, expectError, type Service, type StartService } from "./service.ts";

const rex = { name: "Rex", categoryId: 7 };
const stored = { id: 1, ...rex, status: "available" };

const nameMessage = "name must be text of 1 to 255 characters without U+0000 or lone surrogates";
const categoryIdMessage = "categoryId must be an integer from -9223372036854775808 to 9223372036854775807";
const statusMessage = "status must be one of available, pending, sold";
const keyMessage = "header idempotency-key must be 1 to 255 printable ASCII characters";

function create(service: Service, key?: string, options: Call = {}): Promise<Answer> {
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  return call(service, "/pets", { body: rex, ...options, headers: { ...headers, ...options.headers } });
}

/** Rex with other fields: the text of a JSON value for each. */
function rexWith(fields: Record<string, string>): string {
  const parts = Object.entries({ name: '"Rex"', categoryId: "7", ...fields }).map(
    ([name, text]) => `"${name}":${text}`,
  );
  return `{${parts.join(",")}}`;
}

/** What the service must do with an animal that is added. */
export function describeCreation(start: StartService): void {
  test("201 with the animal, its id and its address; ids count up from 1", async () => {
    await using service = await start();
    for (const id of [1, 2, 3]) {
      const { status, text, headers } = await create(service);
      expect([status, text]).toStrictEqual([201, `{"id":${id},"name":"Rex","categoryId":7,"status":"available"}`]);
      expect(headers.get("Location")).toBe(`pets/${id}`);
      expect(headers.get("Idempotent-Replayed")).toBeNull();
    }
    expect(await service.stored()).toStrictEqual([1, 2, 3].map((id) => ({ ...stored, id })));
  });

  test("201 with a Location until getPet is removed, also when it is repeated", async () => {
    let now = Date.parse("2030-12-04T23:59:59Z");
    await using service = await start({ now: () => now });
    const first = await create(service, "k");
    now += 1_000;
    const later = [await create(service, "k"), await create(service)];
    expect([first, ...later].map(({ status }) => status)).toStrictEqual([201, 201, 201]);
    expect([first, ...later].map(({ headers }) => headers.get("Location"))).toStrictEqual(["pets/1", null, null]);
  });

  test.each([
    ["none but negative ones", [-5, -(2n ** 63n)], 1],
    ["5", [5, 2], 6],
    ["0", [0], 1],
    ["1", [1], 2],
    ["2^52 - 1", [3, 2 ** 52 - 1], 2 ** 52],
    ["2^53, which does not count", [2n ** 53n, 3], 4],
    ["2^63 - 1, which does not count", [2n ** 63n - 1n], 1],
  ])("201 twice with the ids after the largest there is: %s", async (_name, ids, next) => {
    await using service = await start({ pets: ids.map((id) => ({ id, ...rex })) });
    for (const id of [next, next + 1]) {
      const { status, body } = await create(service);
      expect([status, body]).toStrictEqual([201, { ...stored, id }]);
    }
  });

  test.each([
    ["categoryId", "-9223372036854775808", "-9223372036854775808"],
    ["categoryId", "9223372036854775807", "9223372036854775807"],
    ["categoryId", "9007199254740993", "9007199254740993"],
    ["categoryId", "-9007199254740993", "-9007199254740993"],
    ["categoryId", "0", "0"],
    ["categoryId", "-0", "0"],
    ["categoryId", "1.0", "1"],
    ["categoryId", "1e3", "1000"],
    ["categoryId", "9.223372036854775807E18", "9223372036854775807"],
    ["name", '"  R\\u00e9x\\t"', '"  Réx\\t"'],
    ["name", `"${"🐶".repeat(255)}"`, `"${"🐶".repeat(255)}"`],
    ["status", '"pending"', '"pending"'],
    ["status", '"sold"', '"sold"'],
    ["id", "99", "1"],
    ["colour", '"brown"', undefined],
    ["colour", "1e400", undefined],
    ["id", "9223372036854775808", "1"],
    ["__proto__", '{"name":1}', undefined],
  ])("201 for a %s of %s, kept exactly", async (field, sent, kept) => {
    await using service = await start();
    const { status, text } = await create(service, undefined, { body: rexWith({ [field]: sent }) });
    const { name, categoryId, status: petStatus } = { name: '"Rex"', categoryId: "7", status: '"available"' };
    const fields = { id: "1", name, categoryId, status: petStatus, ...(kept !== undefined && { [field]: kept }) };
    const parts = Object.entries(fields).map(([each, value]) => `"${each}":${value}`);
    expect([status, text]).toStrictEqual([201, `{${parts.join(",")}}`]);
    expect((await call(service, "/pets")).text).toBe(`[${text}]`);
  });

  test.each([
    ...[
      '""',
      `"${"x".repeat(256)}"`,
      `"${"🐶".repeat(256)}"`,
      '"\\u0000"',
      '"\\ud800"',
      "7",
      "null",
      "[]",
      "{}",
      "1e400",
    ].map((text) => ["name", text, nameMessage] as const),
    ...['"7"', "1.5", "true", "null", "9223372036854775808", "-9223372036854775809", "1e400", "9007199254740991.4"].map(
      (text) => ["categoryId", text, categoryIdMessage] as const,
    ),
    ...['""', '"lost"', '"Sold"', "null", "1", '["sold"]'].map((text) => ["status", text, statusMessage] as const),
  ])("400 invalid_request for a %s of %s", async (field, text, message) => {
    await using service = await start();
    const answer = await create(service, undefined, { body: rexWith({ [field]: text }) });
    expectError(answer, [400, "invalid_request", `${message}.`]);
    expect(await service.stored()).toStrictEqual([]);
  });

  test.each([
    ["a field that is missing", '{"name":"Rex"}', "", `${categoryIdMessage}.`],
    ["all fields at once", '{"status":0}', "", `${nameMessage}; ${categoryIdMessage}; ${statusMessage}.`],
    ["the header too", "{}", "clé", `${keyMessage}; ${nameMessage}; ${categoryIdMessage}.`],
    ["an array", "[]", "", "the body must be a JSON object."],
    ["null", "null", "", "the body must be a JSON object."],
    ["a string", '"Rex"', "", "the body must be a JSON object."],
    ["a number that nothing holds", "1e400", "", `${nameMessage}; ${categoryIdMessage}.`],
    [
      "33 levels under a name that is repeated",
      `{"a":${"[".repeat(33)}${"]".repeat(33)},"a":1}`,
      "",
      "the body nests deeper than 32 levels.",
    ],
    ["nothing", "", "", "the body is empty, but must be a JSON object."],
    ["white space", "  ", "", "the body is not valid JSON."],
    ["broken JSON", rexWith({}).slice(0, -1), "", "the body is not valid JSON."],
    ["two values", "{} {}", "", "the body is not valid JSON."],
    ["bytes that are not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "", "the body is not valid UTF-8."],
    ["33 levels", rexWith({ a: "[".repeat(32) + "]".repeat(32) }), "", "the body nests deeper than 32 levels."],
  ])("400 invalid_request for %s says what is wrong", async (_name, body, key, message) => {
    await using service = await start();
    const answer = await create(service, key === "" ? undefined : key, { body });
    expectError(answer, [400, "invalid_request", message]);
    expect(await service.stored()).toStrictEqual([]);
  });

  test.each([
    ["a byte order mark", `\uFEFF${rexWith({})}`],
    ["32 levels", rexWith({ a: "[".repeat(31) + "]".repeat(31) })],
    ["16,384 bytes", rexWith({}).padEnd(16_384)],
    ["a name that is repeated: the last one holds", `{"name":1,${rexWith({}).slice(1)}`],
  ])("201 for a body of %s", async (_name, body) => {
    await using service = await start();
    const answer = await create(service, undefined, { body });
    expect([answer.status, answer.body]).toStrictEqual([201, stored]);
  });

  test.each(["{", rexWith({}), `"${"é".repeat(8_192)}`])(
    "413 body_too_large for one byte more: %.9s…",
    async (text) => {
      await using service = await start();
      const answer = await create(service, undefined, { body: text.padEnd(16_385 - (text.match(/é/g)?.length ?? 0)) });
      expectError(answer, [413, "body_too_large", "The body must be at most 16384 bytes long."]);
      expect(await service.stored()).toStrictEqual([]);
    },
  );

  test.each(["application/json;charset=utf-8", 'APPLICATION/JSON ; v=1; Charset="UTF-8"', "application/json;"])(
    "201 for Content-Type %s",
    async (type) => {
      await using service = await start();
      expect((await create(service, undefined, { headers: { "Content-Type": type } })).status).toBe(201);
    },
  );

  test.each([
    ["Content-Type", ""],
    ["Content-Type", "text/plain"],
    ["Content-Type", "application/json, application/json"],
    ["Content-Type", "application/json; charset=latin1"],
    ["Content-Type", "application/problem+json"],
    ["Content-Encoding", "gzip"],
    ["Content-Encoding", "identity, identity"],
  ])("415 unsupported_media_type for %s: %s, whatever the size", async (name, value) => {
    await using service = await start();
    const isType = name === "Content-Type";
    for (const body of [rex, "x".repeat(20_000)]) {
      const answer = await create(service, undefined, { body, headers: { [name]: value } });
      const message = isType
        ? "The body must be JSON in UTF-8: Content-Type: application/json."
        : "The body must not have a content encoding.";
      expectError(answer, [415, "unsupported_media_type", message]);
      expect(answer.headers.get("Accept-Encoding")).toBe(isType ? null : "identity");
    }
    expect(await service.stored()).toStrictEqual([]);
  });

  describe("with an Idempotency-Key", () => {
    const reused = "This Idempotency-Key was used for a different animal. Use a new one.";

    test.each([
      ["equal", {}],
      ["with the default written out", { status: '"available"' }],
      ["with numbers written differently", { categoryId: "70e-1" }],
      ["with something to ignore", { colour: '"brown"' }],
    ])("201 for a repeat that is %s is the first answer again", async (_name, fields) => {
      await using service = await start();
      const first = await create(service, "a");
      await create(service, "b");
      const repeat = await create(service, "a", { body: rexWith(fields) });
      expect([repeat.status, repeat.text]).toStrictEqual([201, first.text]);
      expect([first, repeat].map(({ headers }) => headers.get("Idempotent-Replayed"))).toStrictEqual([null, "true"]);
      expect([first, repeat].map(({ headers }) => headers.get("Location"))).toStrictEqual(["pets/1", "pets/1"]);
      expect(await service.stored()).toHaveLength(2);
    });

    test.each([{ name: '"rex"' }, { categoryId: "8" }, { status: '"sold"' }])(
      "422 idempotency_key_reused for another animal under the same key: %j",
      async (fields) => {
        await using service = await start();
        await create(service, "a");
        const answer = await create(service, "a", { body: rexWith(fields) });
        expectError(answer, [422, "idempotency_key_reused", reused]);
        expect(answer.headers.get("Location")).toBeNull();
        expect(await service.stored()).toStrictEqual([stored]);
        expect((await create(service, "a")).headers.get("Idempotent-Replayed")).toBe("true");
      },
    );

    test("422 tells apart categories that only differ beyond 2^53", async () => {
      await using service = await start();
      await create(service, "a", { body: rexWith({ categoryId: "9007199254740993" }) });
      const answer = await create(service, "a", { body: rexWith({ categoryId: "9007199254740992" }) });
      expectError(answer, [422, "idempotency_key_reused", reused]);
    });

    test("201 replays until 24 hours have passed, and then stores anew", async () => {
      const startAt = Date.parse("2026-11-20T12:00:00Z");
      let now = startAt;
      await using service = await start({ now: () => now });
      const seen: unknown[] = [];
      for (const elapsedMs of [0, 1, 86_399_999, 86_400_000, 172_799_999, 172_800_000]) {
        now = startAt + elapsedMs;
        const { status, headers } = await create(service, "a");
        seen.push([status, headers.get("Location"), headers.get("Idempotent-Replayed")]);
      }
      expect(seen).toStrictEqual([
        [201, "pets/1", null],
        [201, "pets/1", "true"],
        [201, "pets/1", "true"],
        [201, "pets/2", null],
        [201, "pets/2", "true"],
        [201, "pets/3", null],
      ]);
    });

    test.each(["", "k".repeat(256), "clé", "a\tb"])("400 invalid_request for the key %j", async (key) => {
      await using service = await start();
      expectError(await create(service, key), [400, "invalid_request", `${keyMessage}.`]);
      expect(await service.stored()).toStrictEqual([]);
    });

    test.each(["k", "k".repeat(255), "a b~!"])("201 for the key %s, told apart from a longer one", async (key) => {
      await using service = await start();
      expect((await create(service, key)).status).toBe(201);
      expect((await create(service, key)).headers.get("Idempotent-Replayed")).toBe("true");
      const other = await create(service, key.length < 255 ? `${key}k` : key.slice(1));
      expect(other.headers.get("Idempotent-Replayed")).toBeNull();
    });

    test("201 for a good animal under a key that a bad one was sent with", async () => {
      await using service = await start();
      for (const body of [rexWith({ name: '""' }), "{", ""]) {
        expect((await create(service, "a", { body })).status).toBe(400);
      }
      const { status, headers } = await create(service, "a");
      expect([status, headers.get("Idempotent-Replayed")]).toStrictEqual([201, null]);
    });
  });
}
