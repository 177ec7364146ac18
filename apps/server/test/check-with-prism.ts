import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IHttpRequest, IHttpResponse } from "@stoplight/prism-http";
import type { TestProject } from "vitest/node";
import type { RawResponse } from "./raw-response.ts";
import type { Recorded, SentRequest } from "./record-responses.ts";

const directory = mkdtempSync(join(tmpdir(), "petstore-exchanges-"));

export function setup({ provide }: TestProject): void {
  provide("recordedExchanges", directory);
}

/**
 * Fails the run if Prism finds a response that does not match the OpenAPI document, or a request that was
 * served although it does not match. Prism runs as a validating proxy, but after the tests, on recorded requests and responses: in
 * between, it would round 64-bit integers, and not respond to requests that it cannot read.
 */
export async function teardown(): Promise<void> {
  try {
    const validate = await startPrism();
    const found = new Set<string>();
    for (const { request, response } of recorded()) {
      if (request.method === "HEAD") continue; // Prism knows none
      for (const { path = [], message } of await validate(request, response))
        found.add(`${request.method} ${request.target} ${response.status}: ${path.join(".")} ${message}`);
    }
    if (found.size > 0) throw new Error(`Prism finds differences from openapi.json:\n${[...found].join("\n")}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function* recorded(): Iterable<Recorded> {
  for (const file of readdirSync(directory)) {
    const lines = readFileSync(join(directory, file), "utf8").split("\n");
    for (const line of lines.slice(0, -1)) yield JSON.parse(line) as Recorded;
  }
}

/** Prism as a validating proxy, except that the responses do not come over the network. */
async function startPrism() {
  // Loaded only when there is something to check, so that the first test does not wait for it.
  const { createInstance } = await import("@stoplight/prism-http");
  const { proxyTo, readOperations, silentLogger } = await import("./prism.ts");
  const operations = await readOperations();
  const proxy = proxyTo("http://petstore.example");
  let response: IHttpResponse;
  const prism = createInstance(proxy, {
    logger: silentLogger,
    forward: () => () => async () => ({ _tag: "Right", right: response }),
  });

  return async (request: SentRequest, { status, headers, body }: RawResponse) => {
    response = { statusCode: status, headers, body: body === "" ? undefined : JSON.parse(body) };
    // The service must reject requests that are wrong on purpose. Prism cannot even read some of them.
    const isServed = status < 400;
    const config = { ...proxy, checkSecurity: isServed, validateRequest: isServed };
    const result = await prism.request(toInput(request, isServed), operations, config)();
    if ("left" in result) throw result.left;
    const { input, output } = result.right.validations;
    return [...input, ...output].filter((each) => !doubleRange.test(each.message));
  };
}

/**
 * Prism gives every integer of the format int64 the range of a double. The real one is checked where all responses are, exactly:
 * in `documented-responses.ts`.
 */
const doubleRange = /must be (?:<= |>= -)9007199254740991$/;

function toInput({ method, target, headers, body }: SentRequest, isServed: boolean): IHttpRequest {
  const [path = "", search = ""] = target.replace(/^\w+:\/\/[^/?#]*/, "").split(/\?(.*)/s);
  const parameters = new URLSearchParams(search);
  const names = [...parameters.keys()];
  return {
    method: method.toLowerCase() as IHttpRequest["method"],
    url: {
      path: path.replace(/^\/v1/, ""),
      query: Object.fromEntries(names.map((name) => [name, oneOrAll(parameters.getAll(name))])),
    },
    headers: readableHeaders(method, headers),
    body: isServed && method === "POST" ? JSON.parse(new TextDecoder().decode(Buffer.from(body, "latin1"))) : undefined,
  };
}

/** The scheme of a key may be written in any case, and the body of a GET is ignored: by HTTP, but not by Prism. */
function readableHeaders(method: string, { "content-length": length = "0", ...headers }: SentRequest["headers"]) {
  const authorization = headers["authorization"]?.replace(/^bearer /i, "Bearer ");
  return {
    ...headers,
    ...(authorization !== undefined && { authorization }),
    ...(method === "POST" && { "content-length": length }),
  };
}

function oneOrAll(values: string[]): string | string[] {
  const [first = "", ...more] = values;
  return more.length === 0 ? first : values;
}
