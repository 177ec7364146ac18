import { expect } from "vitest";
import type { Answer, TestServer } from "./start-server.ts";

/** The path of the page that the `Link` header leads to, as a client finds it: relative to the request. */
export function nextPath(server: TestServer, path: string, { headers }: Answer): string | undefined {
  const reference = /^<([^>]*)>; rel="next"$/.exec(headers.get("Link") ?? "")?.[1];
  return reference === undefined ? undefined : new URL(reference, server.url + path).href.slice(server.url.length);
}

/** The bodies of all pages of a list, from `path` on. */
export async function readPages(server: TestServer, path: string): Promise<unknown[][]> {
  const answer = await server.call(path);
  expect(answer.status).toBe(200);
  const next = nextPath(server, path, answer);
  return [answer.body as unknown[], ...(next === undefined ? [] : await readPages(server, next))];
}

/** The cursor that the `Link` header of a list hands out. */
export async function readCursor(server: TestServer, path: string): Promise<string> {
  const next = nextPath(server, path, await server.call(path)) ?? "";
  return new URL(server.url + next).searchParams.get("cursor") ?? "";
}
