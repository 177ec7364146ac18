import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "@petstore/test-kit/checkout";
import { launchChromium } from "@petstore/test-kit/chromium";
import type { Browser } from "playwright-core";

// Takes the pictures of the README: the reference page of a development server, after a request.

const keyLink = /http:\/\/\S+\/docs#key=\S+/;

using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-screenshots-"));
const server = spawn(process.execPath, [join(root, "apps/server/src/main.ts"), "serve", "--dev"], {
  cwd: directory.path,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const browser = await launchChromium(directory.path);
  const link = await printedLink();
  for (const colorScheme of ["light", "dark"] as const) {
    const file = join(root, `docs/images/reference-${colorScheme}.png`);
    writeFileSync(file, await takePicture(browser, link, colorScheme));
  }
  await browser.close();
} finally {
  server.kill();
  await once(server, "exit");
}

async function printedLink(): Promise<string> {
  for await (const line of createInterface({ input: server.stdout })) {
    const [link] = keyLink.exec(line) ?? [];
    if (link !== undefined) return link;
  }
  throw new Error("The server ended without a link to its reference page");
}

async function takePicture(browser: Browser, link: string, colorScheme: "light" | "dark"): Promise<Buffer> {
  const viewport = { width: 1280, height: 800 };
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(link);
  await page.goto(new URL("#tag/pets/GET/pets", link).href);
  await page.getByRole("button", { name: "Test Request (get /pets)" }).click();
  const client = page.getByRole("dialog", { name: "API Client" });
  await client.getByRole("button", { name: /^Send get request to/ }).click();
  const response = client.getByRole("region", { name: "Response", exact: true });
  await response.getByText("Bella").waitFor();
  await page.waitForTimeout(1_000); // the progress bar fades
  const picture = await page.screenshot();
  await context.close();
  return picture;
}
