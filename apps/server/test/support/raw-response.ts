/** A response as sent on the wire. */
export interface RawResponse {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** A character for each byte. */
  body: string;
}

/**
 * Parses text that consists of responses. The length of each body must match its header, and
 * nothing may be left.
 */
export function parseResponses(text: string, isToHead = false): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = text; rest !== "";) {
    const [response, following] = takeResponse(rest, isToHead && responses.length === 0);
    responses.push(response);
    rest = following;
  }
  return responses;
}

/**
 * The first response of a text, and the rest. The response to a HEAD has the length of a body, but
 * no body.
 */
export function takeResponse(text: string, isToHead = false): [RawResponse, string] {
  const [, code, head = ""] =
    /^HTTP\/1\.1 (\d{3}) [A-Z][A-Za-z '-]+\r\n((?:[!-9;-~]+: [ -~]*\r\n)*)\r\n/.exec(text) ?? [];
  if (code === undefined) throw new Error(`Not a response: ${text}`);
  const lines = head.split("\r\n").slice(0, -1);
  const headers = Object.fromEntries(lines.map(parseHeader));
  if (Object.keys(headers).length !== lines.length)
    throw new Error(`A header comes twice: ${head}`);
  const status = Number(code);
  const length = status < 200 || status === 204 || isToHead ? 0 : Number(headers["content-length"]);
  const start = text.indexOf("\r\n\r\n") + 4;
  const body = text.slice(start, start + length);
  if (body.length !== length)
    throw new Error(`Content-Length is ${length}, but the body is: ${body}`);
  return [{ status, headers, body }, text.slice(start + length)];
}

function parseHeader(line: string): [string, string] {
  const colon = line.indexOf(": ");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
}
