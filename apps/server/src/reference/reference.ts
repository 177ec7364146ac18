import { randomBytes } from "node:crypto";
import type { Response } from "express";
import { headersOf, sendContent } from "../http/respond.ts";
import { nameByContent, toAsset, type Asset } from "../pages/assets.ts";
import { once } from "../pages/once.ts";
import { compressIcon } from "./icon.ts";
import { contentSecurityPolicy, page } from "./page.ts";
import { readScalar } from "./scalar.ts";

/** Shared by all apps of a process, because compressing is slow. */
const readAssets = once(async () => {
  const [script, icon] = [await readScalar(), compressIcon()];
  return {
    script: toAsset(nameByContent("scalar", "js", script), script),
    icon: toAsset(nameByContent("icon", "svg", icon), icon),
  };
});

/** Sends the reference page. */
export async function sendReference(_req: unknown, res: Response): Promise<void> {
  const { script, icon } = await readAssets();
  const nonce = randomBytes(16).toString("base64url");
  Object.assign(headersOf(res), {
    "Content-Security-Policy": contentSecurityPolicy(nonce),
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  });
  sendContent(res, "text/html; charset=utf-8", page({ nonce, script: script.name, icon: icon.name }));
}

export async function readReferenceFile(name: string): Promise<Asset | undefined> {
  return Object.values(await readAssets()).find((asset) => asset.name === name);
}
