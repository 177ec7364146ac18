/*
 * Requests as sent on the wire, a character for each byte. The server that gets one replaces `<key>` with its key.
 * A header is a line without its end.
 */

export const host = "Host: petstore.example";
export const authorization = "Authorization: Bearer <key>";
export const json = "Content-Type: application/json";
export const chunked = "Transfer-Encoding: chunked";
export const close = "Connection: close";

/** A body that creates an animal. */
export const rex = '{"name":"Rex","categoryId":7}';

export function toRequest(line: string, headers: readonly string[], body = ""): string {
  return [line, ...headers, "", body].join("\r\n");
}

export function get(target = "/v1/pets", ...headers: readonly string[]): string {
  return toRequest(`GET ${target} HTTP/1.1`, [host, authorization, ...headers]);
}

/** Creates an animal. */
export function post(body = rex, ...headers: readonly string[]): string {
  return postFramed(body, `Content-Length: ${body.length}`, ...headers);
}

/** Like {@link post}, but the headers say how long the body is. */
export function postFramed(body: string, ...headers: readonly string[]): string {
  return toRequest("POST /v1/pets HTTP/1.1", [host, authorization, json, ...headers], body);
}

/** A body in chunks, with the last one. */
export function toChunks(...chunks: readonly string[]): string {
  return [...chunks, ""].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("");
}
