import { DecodeError, isApiError, isPetstoreError } from "@petstore/client";
import { visible, visibleLines } from "@petstore/contract/visible";
import type { ApiOptions } from "./command-line/api.ts";
import type { Context } from "./context.ts";
import { withoutKey } from "./settings.ts";
import { print, type Terminal } from "./terminal.ts";
import { headerLines, statusLine } from "./trace.ts";

/** What a client does not return of a response. */
export interface LastResponse {
  head: string;
  /** The body, once it has been read completely. Not that of data, which the client returns. */
  body?: Buffer;
}

/** Copies the body while the client reads it, so that the limit of the client applies. */
export function keep(response: Response): LastResponse {
  const head = [statusLine(response), ...headerLines(response.headers), "", ""].map(visible).join("\n");
  const last: LastResponse = { head };
  const isData = response.ok && /\bjson\b/i.test(response.headers.get("Content-Type") ?? "");
  if (isData || response.body === null) return last;
  const chunks: Uint8Array[] = [];
  const copying = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      chunks.push(chunk);
      controller.enqueue(chunk);
    },
    flush: () => void (last.body = Buffer.concat(chunks)),
  });
  Object.defineProperty(response, "body", { value: response.body.pipeThrough(copying) });
  return last;
}

/** Prints the head with `--include`. */
export async function printHead(
  { terminal: { stdout }, settings }: Context,
  { include = false }: ApiOptions,
  last: LastResponse | undefined,
): Promise<void> {
  if (include) await print(stdout, withoutKey(settings, last?.head ?? ""));
}

/** Prints the response of a call that failed. @throws the error, except if the response is text and may be text */
export async function printFailed(
  context: Context,
  options: ApiOptions,
  last: LastResponse | undefined,
  error: unknown,
): Promise<void> {
  const { terminal, settings } = context;
  const { stdout } = terminal;
  const body = last?.body ?? Buffer.alloc(0);
  if (isPetstoreError(error) && "status" in error) await printHead(context, options, last);
  // An error response is data, too. `gh api` does the same. But it may repeat the key.
  if (isApiError(error)) await print(stdout, asLines(stdout, withoutKey(settings, body.toString())));
  const isText = error instanceof DecodeError && error.field === "body" && body.length > 0;
  if (!isText || isJsonNeeded(context, options)) throw error;
  await print(stdout, stdout.isTTY === true ? asLines(stdout, body.toString()) : body);
}

function isJsonNeeded({ settings }: Context, { jq, paginate }: ApiOptions): boolean {
  return (jq ?? paginate) !== undefined || settings.values.output?.origin === "flag --output";
}

/** Text with a line end, harmless for a terminal. */
function asLines(stdout: Terminal["stdout"], text: string): string {
  const shown = stdout.isTTY === true ? visibleLines(text) : text;
  return shown === "" || shown.endsWith("\n") ? shown : `${shown}\n`;
}
