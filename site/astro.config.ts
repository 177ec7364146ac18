import starlight from "@astrojs/starlight";
import { defineConfig, passthroughImageService } from "astro/config";
import linksValidator from "starlight-links-validator";
import { placeIn } from "./src/place.ts";
import { sections } from "./src/sections.ts";

const { base, origin, repository } = placeIn(process.env);

export default defineConfig({
  base: base || "/",
  ...(origin !== undefined && { site: origin }),
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title: "Petstore",
      favicon: "/favicon.svg",
      customCss: ["./src/site.css"],
      social: repository === undefined ? [] : [{ icon: "github", label: "GitHub", href: repository }],
      sidebar: sections.map(({ label, pages }) => ({ label, items: pages.map(({ slug }) => slug) })),
      plugins: [linksValidator()],
    }),
  ],
});
