import type { Express, RequestHandler } from "express";
import { respondToMethods } from "../api/methods.ts";
import { sendContent } from "../http/respond.ts";
import { sendAsset, toAsset } from "../pages/assets.ts";
import { once } from "../pages/once.ts";
import { readBoard } from "./files.ts";

/** Shared by all apps of a process, and read at the first request: a start should not wait for it. */
const readFiles = once(async () => {
  const { page, assets } = await readBoard();
  return { page, assets: new Map(Object.entries(assets).map(([name, content]) => [name, toAsset(name, content)])) };
});

/** The page loads from and sends to this server only, and never turns text into code or markup. It is constant, so it needs no nonce. */
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

/** Sends the page, which browsers keep only to go back to it. */
export const sendBoard: RequestHandler = async (req, res) => {
  const { page } = await readFiles();
  Object.assign(req.state.headers, {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": contentSecurityPolicy,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  });
  sendContent(res, "text/html; charset=utf-8", page);
};

/** Serves the files of the board, without authentication. */
export function mountBoardFiles(app: Express): void {
  app.all(/^\/assets\/[^/]+$/, (req, res, next) => sendFile(req, res, next));
}

const sendFile: RequestHandler = async (req, res, next) => {
  const { assets } = await readFiles();
  const asset = assets.get(req.path.slice("/assets/".length));
  if (!asset) return next();
  req.state.route = "/assets/{file}"; // one metric series for all files
  if (["GET", "HEAD"].includes(req.method)) await sendAsset(req, res, asset);
  else respondToMethods("/assets/{file}", "GET, HEAD, OPTIONS")(req, res, next);
};
