import { appendFileSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { Application, Converter, type DocumentReflection } from "typedoc";

// Makes the site of the pages of the checkout.

const root = join(import.meta.dirname, "..");
const out = join(import.meta.dirname, "dist");
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;

/** The sidebar, with patterns of pages. */
const sections = {
  "Start here": "docs/{tutorial,troubleshooting}.md",
  "Use it": "{docs/{board,api},packages/client/{README,docs/*},apps/cli/README}.md",
  "Run it": "docs/{server,configuration,deployment,operations,scaling,postgresql-backup,upgrading}.md",
  "Change it": "{CONTRIBUTING,docs/{architecture,adding-*,decisions,performance},bench/README,SECURITY,SUPPORT}.md",
};

const app = await Application.bootstrap({
  name: "Petstore",
  readme: join(root, "README.md"),
  projectDocuments: Object.values(sections).map((pattern) => join(root, pattern)),
  entryPoints: [],
  disableSources: true,
  out,
  favicon: join(root, "brand/logo.svg"),
  customCss: join(root, "brand/tokens.css"),
  navigationLinks: server && repository ? { GitHub: `${server}/${repository}` } : {},
  navigation: { includeGroups: true },
  groupOrder: Object.keys(sections),
  sort: [],
  headings: { readme: false, document: false },
  highlightLanguages: ["bash", "console", "diff", "docker", "ini", "js", "json", "nginx", "sql", "ts", "yaml"],
  searchInDocuments: true,
  hideGenerator: true,
  treatWarningsAsErrors: true,
});
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page: DocumentReflection) => {
  const [section] = Object.entries(sections).find(([, pattern]) => matchesGlob(`${page.name}.md`, pattern)) ?? [];
  page.frontmatter["group"] = section;
  [, page.name = ""] = /^# (.+)/.exec(page.content[0]?.text ?? "") ?? [];
});

const project = await app.convert();
if (project !== undefined) await app.generateOutputs(project);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);
appendFileSync(join(out, "assets/custom.css"), readFileSync(join(import.meta.dirname, "site.css")));
