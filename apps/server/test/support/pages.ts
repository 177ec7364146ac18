import { expect } from "vitest";
import type { TestResponse, TestServer } from "./start-server.ts";

/** The path of the page that the `Link` header leads to, as a client finds it: relative to the request. */
export function nextPath(server: TestServer, path: string, { headers }: TestResponse): string | undefined {
  const reference = /^<([^>]*)>; rel="next"$/.exec(headers.get("Link") ?? "")?.[1];
  return reference === undefined ? undefined : new URL(reference, server.url + path).href.slice(server.url.length);
}

/** The bodies of all pages of a list, from `path` on. */
export async function readPages(server: TestServer, path: string): Promise<{ id: unknown }[][]> {
  const response = await server.call(path);
  expect(response.status).toBe(200);
  const next = nextPath(server, path, response);
  return [response.body as { id: unknown }[], ...(next === undefined ? [] : await readPages(server, next))];
}

/** The cursor in the `Link` header of a list. */
export async function readCursor(server: TestServer, path: string): Promise<string> {
  const next = nextPath(server, path, await server.call(path)) ?? "";
  return new URL(server.url + next).searchParams.get("cursor") ?? "";
}
