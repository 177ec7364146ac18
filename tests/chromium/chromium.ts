import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { environmentOf } from "@petstore/test-kit/desktop";
import { inflate } from "@sparticuz/chromium";
import { chromium, type Browser } from "playwright-core";

declare module "vitest" {
  interface ProvidedContext {
    /** Where Chromium is unpacked, once for all tests: see chromium-directory.ts. */
    directory: string;
  }
}

/**
 * Unpacks the Chromium of a package, with libraries that a minimal machine lacks, unless
 * `directory` has them.
 */
export async function unpackChromium(
  directory: string,
): Promise<{ executablePath: string; libraries: string }> {
  process.env["TMPDIR"] = directory; // where `inflate` and Playwright write
  const archives = join(
    dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")),
    "../bin",
  );
  const executablePath = await inflate(join(archives, "chromium.br"));
  return { executablePath, libraries: await inflate(join(archives, "al2023.tar.br")) };
}

/**
 * Starts Chromium. Does not use the package's flags: they switch off web security, and CORS with
 * it.
 */
export async function launchChromium(
  directory: string,
  environment?: Record<string, string>,
): Promise<Browser> {
  const { executablePath, libraries } = await unpackChromium(directory);
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
    env: { ...environmentOf(directory), LD_LIBRARY_PATH: join(libraries, "lib"), ...environment },
  });
}
