import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "@petstore/server/start-server";
import { launchChromium } from "@petstore/test-chromium/chromium";
import { root } from "@petstore/test-kit/checkout";
import { openState, states } from "../test/board/every-state.ts";

// Takes the pictures of the README.

using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-screenshots-"));
await using server = await startShelter();
const browser = await launchChromium(directory.path, {
  FONTCONFIG_FILE: writeFontSettings(directory.path),
});
const pictures = { board: { width: 1024, height: 640 }, phone: { width: 390, height: 700 } };
for (const [name, viewport] of Object.entries(pictures)) {
  for (const colorScheme of ["light", "dark"] as const) {
    const options = { colorScheme, viewport, deviceScaleFactor: 2 };
    const page = await openState(browser, server, states["list-all"], options);
    await page.screenshot({ path: join(root, `docs/images/${name}-${colorScheme}.png`) });
  }
}
await browser.close();

/** A server with the animals of a small shelter. */
async function startShelter() {
  const kinds = ["Dogs", "Cats", "Rabbits", "Birds"];
  const names =
    "Bella Milo Luna Oscar Daisy Simba Coco Rocky Nala Leo Hazel Charlie Ruby Felix Poppy Max Willow Jasper Ivy Gus";
  const statuses = ["available", "available", "pending", "sold", "available"] as const;
  const categoryNames = new Map(kinds.map((name, index) => [String(index + 1), name]));
  const service = await startServer({
    categoryNames,
    boardName: "Riverside Shelter",
    hasSignInLinks: true,
  });
  const animals = names.split(" ").map((name, index) => {
    return {
      name,
      categoryId: [1, 2, 1, 3, 2, 1, 4][index % 7] ?? 1,
      status: statuses[index % 5] ?? "available",
    };
  });
  await service.store.importPets(animals);
  return service;
}

/** Fonts like those of a common system. The shipped Chromium brings none with emoji. */
function writeFontSettings(path: string): string {
  const packages = ["@expo-google-fonts/inter", "@expo-google-fonts/noto-emoji"];
  const fonts = packages.map((name) =>
    dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))),
  );
  const file = join(path, "fonts.conf");
  const settings = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  ${[...fonts, "/usr/share/fonts"].map((font) => `<dir>${font}</dir>`).join("\n  ")}
  <cachedir>${path}/fonts</cachedir>
  <alias><family>system-ui</family><prefer><family>Inter</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Inter</family></prefer></alias>
</fontconfig>
`;
  writeFileSync(file, settings);
  return file;
}
