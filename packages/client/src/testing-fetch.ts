import type { FakeHttpRequest, FakeHttpResponse } from "./testing-transport.ts";

/** What ends a response instead of its last byte: the promise never fulfils. */
export type Ending = () => Promise<never>;

/**
 * Jest with jsdom has `Headers`, but nothing else of `fetch`. There the fake reads and writes
 * texts.
 */
function hasFetch(): boolean {
  const { Request, Response, ReadableStream, TextEncoder, TextDecoder } = globalThis as Partial<
    typeof globalThis
  >;
  return [Request, Response, ReadableStream, TextEncoder, TextDecoder].every(Boolean);
}

/** Reads what was passed to `fetch`, except its signal. */
export async function readRequest(
  input: RequestInfo | URL,
  init: RequestInit,
): Promise<FakeHttpRequest> {
  if (!hasFetch()) {
    const { method = "GET", headers, body = null } = init;
    if (body !== null && typeof body !== "string")
      throw new TypeError("without Request, the fake only takes a text");
    return {
      method: method.toUpperCase(),
      url: new URL(input as string | URL),
      headers: new Headers(headers),
      body: body ?? "",
    };
  }
  // Tests may have the signals of jsdom, which the Request of Node rejects.
  const request = new Request(input, { ...init, signal: null });
  const { method, headers } = request;
  return {
    method,
    url: new URL(request.url),
    headers,
    body: new Uint8Array(await request.arrayBuffer()),
  };
}

/** @param ending what happens instead of the end of the body; `undefined` ends it */
export function toResponse(
  { status, headers, text }: FakeHttpResponse,
  ending: Ending | undefined,
): Response {
  if (!hasFetch()) {
    const read = async (): Promise<string> => (ending === undefined ? text : await ending());
    return {
      ok: status >= 200 && status < 300,
      status,
      headers: new Headers(headers),
      text: read,
      json: async () => JSON.parse(await read()) as unknown,
    } as Response;
  }
  if (ending === undefined) return new Response(text === "" ? null : text, { status, headers });
  let rest = text;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (rest === "") await ending();
      controller.enqueue(new TextEncoder().encode(rest));
      rest = "";
    },
  });
  return new Response(body, { status, headers });
}
