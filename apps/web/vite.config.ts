import { defineConfig } from "vite";
import { thirdPartyNotices } from "../../scripts/third-party.ts";

export default defineConfig({
  // Relative addresses, so that the board works under a path prefix.
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [
    thirdPartyNotices(),
    {
      // The client reads its own package.json only where it may set a User-Agent, which browsers forbid.
      name: "no-package-json",
      load: {
        filter: { id: /\/client\/package\.json$/ },
        handler: () => ({ code: "{}", moduleType: "json" }),
      },
    },
  ],
  build: {
    outDir: "built",
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"], // the first with light-dark()
    modulePreload: false,
    assetsInlineLimit: 0, // the policy of the page allows no data: URLs
    reportCompressedSize: false,
  },
});
