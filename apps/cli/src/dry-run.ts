import { parseJson, type FetchInit, type PetstoreClient } from "@petstore/client";
import { visible } from "@petstore/contract/visible";
import { openClient, type Context } from "./context.ts";
import { isJson } from "./formats.ts";
import { printItem, type Output } from "./output.ts";
import { redact } from "./redact.ts";
import { connectionSettings, readKey } from "./settings.ts";
import { print } from "./terminal.ts";
import { requestLines } from "./trace.ts";

/** Prints the request of a call instead of sending it. Everything before that is done and checked as in a real call. */
export async function printRequest(
  context: Context,
  output: Output,
  call: (client: PetstoreClient) => Promise<unknown>,
): Promise<void> {
  const saved = connectionSettings(context.settings);
  const connection = { ...saved, apiKey: await readKey(saved.apiKey) };
  let request: { url: string; init: FetchInit } | undefined;
  function capture(url: string, init: FetchInit): Promise<never> {
    request = { url, init };
    return Promise.reject(new Error("not sent: this is a dry run"));
  }
  try {
    await call(openClient(context, { ...connection, maxRetries: 0, fetch: capture }));
  } catch (error) {
    if (request === undefined) throw error;
  }
  if (request === undefined) return;
  const { url, init } = request;
  const mask = (text: string): string => redact(text, connection.apiKey);
  if (!isJson(output.format)) {
    await print(
      output.stdout,
      requestLines(url, init)
        .map((line) => `${visible(mask(line))}\n`)
        .join(""),
    );
    return;
  }
  const headers = Object.fromEntries(Object.entries(init.headers).map(([name, value]) => [name, mask(value)]));
  const body = parseJson(init.body as string);
  await printItem(output, {}, { method: init.method, url, headers, body });
}
