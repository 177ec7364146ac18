import type { BoardSettings } from "@petstore/contract/board";
import type { RequestHandler, Response } from "express";
import { headersOf } from "../http/respond.ts";
import { once, sendPage, toAsset, type Asset } from "./assets.ts";
import { readBoard } from "./board-files.ts";
import { withSettings } from "./board-settings.ts";

/** Shared by all apps of a process, and read at the first request, to keep the start fast. */
const readFiles = once(async () => {
  const { page, help, assets } = await readBoard();
  return {
    page,
    help: new Map(Object.entries(help).map(([name, text]) => [name, Buffer.from(text)])),
    assets: new Map(
      Object.entries(assets).map(([name, content]) => [name, toAsset(name, content)]),
    ),
  };
});

/**
 * The pages load from and send to this server only, and never turn text into code or markup. They
 * have no inline code, so they need no nonce.
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
];

export function sendBoard(settings: BoardSettings): RequestHandler {
  const readPage = once(async () => Buffer.from(withSettings((await readFiles()).page, settings)));
  return async (_req, res) => sendFresh(res, await readPage());
}

/** The help for those who use the board, in a language; in English without one. */
export async function readHelp(language?: string): Promise<Buffer | undefined> {
  const { help } = await readFiles();
  return help.get(language === undefined ? "help" : `help.${language}`);
}

/** Browsers ask for the page again, except when the user goes back. */
export function sendFresh(res: Response, page: Buffer): void {
  headersOf(res)["Cache-Control"] = "no-cache";
  sendPage(res, contentSecurityPolicy, page);
}

export async function readBoardFile(name: string): Promise<Asset | undefined> {
  const { assets } = await readFiles();
  return assets.get(name);
}
