import { defineConfig } from "vite";
import { thirdPartyNotices } from "../../scripts/third-party.ts";
import { help } from "./scripts/help.ts";

export default defineConfig({
  // Relative addresses, so that the board works under a path prefix.
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [
    thirdPartyNotices(),
    help(),
    {
      // The client reads its own package.json only where it may set a User-Agent, which browsers
      // forbid.
      name: "no-package-json",
      load: {
        filter: { id: /\/client\/package\.json$/ },
        handler: () => ({ code: "{}", moduleType: "json" }),
      },
    },
  ],
  build: {
    outDir: "built",
    rolldownOptions: { input: ["index.html"] },
    cssCodeSplit: false, // browsers that show the help have the styles already
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"], // the first with light-dark()
    modulePreload: false,
    assetsInlineLimit: 0, // the policy of the page allows no data: URLs
    reportCompressedSize: false,
  },
});
