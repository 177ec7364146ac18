import { expect } from "vitest";
import { close, host, toRequest } from "./raw-request.ts";
import type { RawResponse } from "./raw-response.ts";
import type { TestServer } from "./start-server.ts";

/** The header of a browser after the reader has typed an address. */
export const browser =
  "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

/** The response to a GET with these headers, and no others. */
export async function get(
  server: TestServer,
  target: string,
  ...headers: readonly string[]
): Promise<RawResponse> {
  const [response] = await server.send(
    toRequest(`GET ${target} HTTP/1.1`, [host, close, ...headers]),
  );
  return response as RawResponse;
}

/** The response to a browser, with the bytes of its body. */
export async function open(url: string | URL, encoding = "identity") {
  const accept = browser.slice("Accept: ".length);
  const response = await fetch(url, { headers: { Accept: accept, "Accept-Encoding": encoding } });
  return {
    status: response.status,
    headers: response.headers,
    content: Buffer.from(await response.arrayBuffer()),
  };
}

/** HEAD has the headers of GET, and no body. */
export async function expectHead(server: TestServer, target: string): Promise<void> {
  const got = await get(server, target, browser);
  const [head] = await server.send(toRequest(`HEAD ${target} HTTP/1.1`, [host, close, browser]));
  const same = Object.fromEntries(
    ["date", "x-request-id", "content-security-policy"].flatMap((name) => {
      const value = got.headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  expect({ ...head, headers: { ...head?.headers, ...same } }).toEqual({ ...got, body: "" });
}
