import { randomBytes } from "node:crypto";
import type { RequestHandler } from "express";
import { headersOf, sendContent } from "../http/respond.ts";
import { nameByContent, toAsset, type Asset } from "../pages/assets.ts";
import { once } from "../pages/once.ts";
import { readReference } from "./files.ts";
import { contentSecurityPolicy, page, type PageOptions } from "./page.ts";

/** Shared by all apps of a process, because compressing is slow. */
const readFiles = once(async () => {
  const { program, logo, tokens } = await readReference();
  return {
    tokens,
    assets: {
      program: toAsset(nameByContent("scalar", "js", program), program),
      logo: toAsset(nameByContent("logo", "svg", logo), logo),
    },
  };
});

/** Sends the reference page. */
export function sendReference(options: PageOptions): RequestHandler {
  return async (_req, res) => {
    const { tokens, assets } = await readFiles();
    const nonce = randomBytes(16).toString("base64url");
    Object.assign(headersOf(res), {
      "Content-Security-Policy": contentSecurityPolicy(nonce),
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
    });
    const content = page({ nonce, program: assets.program.name, logo: assets.logo.name, tokens, ...options });
    sendContent(res, "text/html; charset=utf-8", content);
  };
}

export async function readReferenceFile(name: string): Promise<Asset | undefined> {
  const { assets } = await readFiles();
  return Object.values(assets).find((asset) => asset.name === name);
}
