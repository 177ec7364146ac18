import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflate } from "@sparticuz/chromium";
import { chromium, type Browser } from "playwright-core";

declare module "vitest" {
  interface ProvidedContext {
    /** Where Chromium is unpacked, once for all tests: see chromium-directory.ts. */
    directory: string;
  }
}

/**
 * Starts the Chromium of a package, unpacked into `directory`, with libraries that a minimal machine lacks.
 *
 * Does not use the package's flags: they switch off web security, and CORS with it.
 */
export async function launchChromium(directory: string): Promise<Browser> {
  process.env["TMPDIR"] = directory; // where `inflate` and Playwright write
  const archives = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "../bin");
  const executablePath = await inflate(join(archives, "chromium.br"));
  const libraries = await inflate(join(archives, "al2023.tar.br"));
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
    env: { ...process.env, LD_LIBRARY_PATH: join(libraries, "lib") },
  });
}
