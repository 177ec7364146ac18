import { randomBytes } from "node:crypto";
import type { RequestHandler } from "express";
import { nameByContent, once, sendPage, toAsset, type Asset } from "./assets.ts";
import { readReference } from "./reference-files.ts";
import { contentSecurityPolicy, page } from "./reference-html.ts";

/** Shared by all apps of a process, because compressing is slow. */
const readFiles = once(async () => {
  const { program, logo } = await readReference();
  return { program: toAsset(nameByContent("scalar", "js", program), program), logo };
});

/** Sends the reference page. */
export const sendReference: RequestHandler = async (_req, res) => {
  const { program, logo } = await readFiles();
  const nonce = randomBytes(16).toString("base64url");
  sendPage(res, contentSecurityPolicy(nonce), page({ nonce, program: program.name, logo }));
};

export async function readReferenceFile(name: string): Promise<Asset | undefined> {
  const { program } = await readFiles();
  return program.name === name ? program : undefined;
}
