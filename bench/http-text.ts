/** A request as it goes over the wire, so that the client of a benchmark costs little. */
export function toRequest(line: string, apiKey: string, body = ""): string {
  const length = body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
  return [`${line} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${apiKey}`, ...length, "", body].join("\r\n");
}

/** Whether all of an answer has come. */
export function isWhole(answer: string): boolean {
  const end = answer.indexOf("\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(answer)?.[1];
  return end !== -1 && answer.length >= end + 4 + Number(length);
}
