import type { BoardSettings } from "@petstore/contract/board";
import type { RequestHandler } from "express";
import { headersOf, sendContent } from "../http/respond.ts";
import { toAsset, type Asset } from "../pages/assets.ts";
import { once } from "../pages/once.ts";
import { readBoard } from "./files.ts";
import { withSettings } from "./settings.ts";

/** Shared by all apps of a process, and read at the first request, to keep the start fast. */
const readFiles = once(async () => {
  const { page, assets } = await readBoard();
  return { page, assets: new Map(Object.entries(assets).map(([name, content]) => [name, toAsset(name, content)])) };
});

/**
 * The page loads from and sends to this server only, and never turns text into code or markup. It has no inline code, so it needs no nonce.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Sends the page. Browsers ask for it again, except when the user goes back. */
export function sendBoard(settings: BoardSettings): RequestHandler {
  const readPage = once(async () => withSettings((await readFiles()).page, settings));
  return async (_req, res) => {
    const page = await readPage();
    Object.assign(headersOf(res), {
      "Cache-Control": "no-cache",
      "Content-Security-Policy": contentSecurityPolicy,
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
    });
    sendContent(res, "text/html; charset=utf-8", page);
  };
}

export async function readBoardFile(name: string): Promise<Asset | undefined> {
  const { assets } = await readFiles();
  return assets.get(name);
}
