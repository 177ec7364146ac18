/** An answer as it stood on the wire. */
export interface RawAnswer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** A character for each byte. */
  body: string;
}

/** Takes text apart into answers with bodies. The length of each is what its header says, and nothing may be left. */
export function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== "";) {
    const [answer, behind] = takeAnswer(rest);
    answers.push(answer);
    rest = behind;
  }
  return answers;
}

/** The first answer of a text, and what stands behind it. The answer to a HEAD has the length of a body, but no body. */
export function takeAnswer(text: string, isToHead = false): [RawAnswer, string] {
  const [, code, head = ""] =
    /^HTTP\/1\.1 (\d{3}) [A-Z][A-Za-z '-]+\r\n((?:[!-9;-~]+: [ -~]*\r\n)*)\r\n/.exec(text) ?? [];
  if (code === undefined) throw new Error(`Not an answer: ${text}`);
  const lines = head.split("\r\n").slice(0, -1);
  const headers = Object.fromEntries(lines.map(parseHeader));
  if (Object.keys(headers).length !== lines.length) throw new Error(`A header comes twice: ${head}`);
  const status = Number(code);
  const length = status < 200 || status === 204 || isToHead ? 0 : Number(headers["content-length"]);
  const start = text.indexOf("\r\n\r\n") + 4;
  const body = text.slice(start, start + length);
  if (body.length !== length) throw new Error(`Content-Length is ${length}, but the body is: ${body}`);
  return [{ status, headers, body }, text.slice(start + length)];
}

function parseHeader(line: string): [string, string] {
  const colon = line.indexOf(": ");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
}
