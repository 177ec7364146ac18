import { DecodeError, type Fetch } from "@petstore/client";

/**
 * A `fetch` that reads at most `maxBytes` of the body of a response, decompressed. If a body is larger, the call rejects with a
 * {@link DecodeError}; the body of an error response is cut off.
 */
export function limited(send: Fetch, maxBytes: number): Fetch {
  return async (url, init) => {
    const response = (await send(url, init)) as Response;
    const { body, headers, ok, status } = response;
    if (!body) return response;

    async function text(): Promise<string> {
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      const decoder = new TextDecoder();
      let read = "";
      for (let left = maxBytes; ;) {
        const { done, value } = await reader.read();
        if (done) return read + decoder.decode();
        read += decoder.decode(value.subarray(0, left), { stream: true });
        left -= value.length;
        if (left >= 0) continue;
        await reader.cancel(); // releases the connection
        if (!ok) return read;
        throw new DecodeError(`The response has more than ${maxBytes} bytes`, { status, field: "body" });
      }
    }
    return { headers, ok, status, text };
  };
}
