import { randomBytes } from "node:crypto";
import type { Express, RequestHandler } from "express";
import { respondToMethods } from "../api/methods.ts";
import { sendContent, sendEmpty } from "../http/respond.ts";
import { nameByContent, sendAsset, toAsset } from "../pages/assets.ts";
import { once } from "../pages/once.ts";
import { compressIcon } from "./icon.ts";
import { contentSecurityPolicy, page } from "./page.ts";
import { readScalar } from "./scalar.ts";

/** Serves the reference page and its files, without authentication. */
export function mountReference(app: Express): void {
  for (const [path, handler] of Object.entries({ "/docs": sendPage, "/docs/": redirectToPage })) {
    app.get(path, handler);
    app.all(path, respondToMethods(path, allow));
  }
  app.all(/^\/docs\/[^/]+$/, (req, res, next) => sendFile(req, res, next));
}

const allow = "GET, HEAD, OPTIONS";

/** Shared by all apps of a process, because compressing is slow. */
const readAssets = once(async () => {
  const [script, icon] = [await readScalar(), compressIcon()];
  return {
    script: toAsset(nameByContent("scalar", "js", script), script),
    icon: toAsset(nameByContent("icon", "svg", icon), icon),
  };
});

const sendPage: RequestHandler = async (req, res) => {
  req.state.route = "/docs";
  const assets = await readAssets();
  const nonce = randomBytes(16).toString("base64url");
  Object.assign(req.state.headers, {
    "Content-Security-Policy": contentSecurityPolicy(nonce),
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  });
  sendContent(res, "text/html; charset=utf-8", page({ nonce, script: assets.script.name, icon: assets.icon.name }));
};

/** The page's relative addresses would be wrong here. */
const redirectToPage: RequestHandler = (req, res) => {
  req.state.route = "/docs/";
  res.setHeader("Location", "../docs");
  sendEmpty(res, 301);
};

const sendFile: RequestHandler = async (req, res, next) => {
  const asset = Object.values(await readAssets()).find(({ name }) => req.path === `/docs/${name}`);
  if (!asset) return next();
  req.state.route = "/docs/{file}"; // one metric series for all files
  if (["GET", "HEAD"].includes(req.method)) await sendAsset(req, res, asset);
  else respondToMethods("/docs/{file}", allow)(req, res, next);
};
