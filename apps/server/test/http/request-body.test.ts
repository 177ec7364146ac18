import { maxBodyBytes, type Pet } from "@petstore/contract";
import { expect, onTestFinished } from "vitest";
import { expectError, expectRejected, expectUnharmed } from "../support/expect-response.ts";
import { chunked, close, get, json, post, postFramed, rex, toChunks } from "../support/raw-request.ts";
import { testWithServer } from "../support/shared-server.ts";

const test = testWithServer();

const evil = '{"polluted":true,"status":"sold","toString":1}';

/** The UTF-8 bytes of a string, as characters. */
function utf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function named(name: string): string {
  return `{"name":"${name}","categoryId":7}`;
}

/** A valid animal with this many more properties. */
function withKeys(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"${index}":0,`).join("")}${rex.slice(1)}`;
}

const full = rex.padEnd(maxBodyBytes);
const fullOfEuros = utf8(`{"colours":"${"€".repeat(5_446)}",${rex.slice(1)}`).padEnd(maxBodyBytes);

/** Ways to send a body. */
const framings: Record<string, (body: string) => string> = {
  "of a declared length": (body) => post(body, close),
  "in one chunk": (body) => postFramed(toChunks(body), chunked, close),
  "in two chunks": (body) => postFramed(toChunks(body.slice(0, 1000), body.slice(1000)), chunked, close),
  "in chunks of a byte": (body) => postFramed(toChunks(...body), chunked, close),
};

test.for(Object.entries(framings))("413 for 16,385 bytes %s, 201 for one less", async ([, frame], { server }) => {
  await expectRejected(server, frame(`${full} `), "body_too_large");
  for (const body of [full, fullOfEuros]) {
    expect(body).toHaveLength(maxBodyBytes);
    expect(await server.send(frame(body))).toMatchObject([{ status: 201 }]);
  }
});

// Which media types and bodies are valid is tested in the service. These have headers that Node joins, or bytes that HTTP carries.
test.for([
  "Colour: brown",
  `${json}\r\n${json}`,
  `${json}\r\nContent-Type: text/plain`,
  `${json}\r\nContent-Encoding: identity\r\nContent-Encoding: gzip`,
])("415 unsupported_media_type for %j", async (headers, { server }) => {
  await expectRejected(server, post(rex, close).replace(json, headers), "unsupported_media_type");
});

test.for([
  ["no bytes", ""],
  ["Latin-1", named("\xe9")],
  ["10,000 arrays that do not end", "[".repeat(10_000)],
  ["fields that come only by way of __proto__", `{"__proto__":${rex}}`],
] as const)("400 invalid_request for %s, in chunks too", async ([, body], { server }) => {
  const chunks = toChunks(...(body === "" ? [] : [body]));
  await expectRejected(server, post(body, close), "invalid_request");
  await expectRejected(server, postFramed(chunks, chunked, close), "invalid_request");
});

test("400 invalid_request without a body at all", async ({ server }) => {
  await expectRejected(server, postFramed("", close), "invalid_request");
});

const good: Record<string, [body: string, name: string]> = {
  "a name of every width": [utf8(named("aé€😀")), "aé€😀"],
  "as many keys as fit": [withKeys(1_900), "Rex"],
  "the names of a prototype": [
    `{"__proto__":${evil},"constructor":{"prototype":${evil}},"prototype":${evil},${rex.slice(1)}`,
    "Rex",
  ],
};

test.for(Object.entries(good))("201 for %s", async ([, [body, name]], { server }) => {
  const [response] = await server.send(post(body, close));
  expect(response?.status).toBe(201);
  const { id, ...pet } = JSON.parse(Buffer.from(response?.body ?? "", "latin1").toString()) as Pet;
  expect(pet).toStrictEqual({ name, categoryId: 7, status: "available" });
  expect(await server.store.getPet(id)).toStrictEqual({ id, ...pet });
  for (const polluted of ["polluted", "status"]) expect({}).not.toHaveProperty(polluted);
  await expectUnharmed(server, 1);
});

test("200 for GET whatever its body", async ({ server }) => {
  for (const body of ["{", "", rex, " ".repeat(20_000)]) {
    const headers = ["Content-Type: text/plain", "Content-Encoding: gzip", `Content-Length: ${body.length}`, close];
    expect(await server.send(get("/v1/pets", ...headers) + body)).toMatchObject([{ status: 200 }]);
  }
  await expectUnharmed(server);
});

test("500 internal_error, and not 400, when the parser itself fails", async ({ server }) => {
  const { parse } = JSON;
  onTestFinished(() => void (JSON.parse = parse));
  JSON.parse = (text: string): unknown => {
    if (text === rex) throw new RangeError("Out of memory");
    return parse(text);
  };
  expectError(await server.call("/pets", { body: rex }), "internal_error");
});
