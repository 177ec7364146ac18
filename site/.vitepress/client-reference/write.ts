import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  Application,
  Converter,
  TSConfigReader,
  type Reflection,
  type TypeDocOptions,
} from "typedoc";
import {
  MarkdownPageEvent,
  type MarkdownApplication,
  type PluginOptions,
} from "typedoc-plugin-markdown";
import { clientReference, root } from "../contents.ts";
import { arrange } from "./arrange.ts";

const folder = join(root, "site/reference/client");

/** TypeDoc has a page that lists the entry points. The sidebar does that here. */
const entryPointsPage = "modules";

const options: TypeDocOptions & Partial<PluginOptions> = {
  plugin: ["typedoc-plugin-markdown", "typedoc-plugin-missing-exports"],
  entryPoints: clientReference.map(({ source }) => join(root, source)),
  basePath: join(root, "packages"),
  tsconfig: join(root, "packages/tsconfig.declarations.json"),
  // Lint reports these, and here they would take twice as long as all the rest.
  skipErrorChecking: true,
  logLevel: "Warn",
  excludeExternals: true,
  excludeInternal: true,
  disableSources: true,
  readme: "none",
  sort: ["source-order"],
  // A default can be in words. In braces it is read as a type, as is the class of an error.
  jsDocCompatibility: { defaultTag: false },
  preservedTypeAnnotationTags: ["@default", "@throws"],
  externalSymbolLinkMappings: {
    typescript: {
      TypeError:
        "https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/TypeError",
    },
  },
  outputs: [{ name: "markdown", path: folder }],
  router: "module",
  entryFileName: entryPointsPage,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hidePageTitle: true,
  useCodeBlocks: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
};

/**
 * A row of a table, with a word for the sign between types, which ends a cell once its escape is
 * lost, and with nothing for nothing.
 */
function plainRow(row: string): string {
  return row.replaceAll(" \\| ", " or ").replaceAll(/(?<=\|) - (?=\|)/g, "  ");
}

/**
 * Writes the reference of the client from the comments in its source: a page for each entry point,
 * with all its exports.
 */
export async function writeClientReference(): Promise<void> {
  const app = (await Application.bootstrapWithPlugins(
    { ...options, placeInternalsInOwningModule: true } as TypeDocOptions,
    [new TSConfigReader()],
  )) as MarkdownApplication;
  const exported = new Set<Reflection>();
  app.converter.on(
    Converter.EVENT_RESOLVE_BEGIN,
    ({ project: { children = [] } }) => {
      for (const child of children.flatMap((module) => module.children ?? [])) exported.add(child);
    },
    // Before the plugin that adds the rest.
    Infinity,
  );
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc read nothing");
  arrange(project, exported);
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    const entryPoint = clientReference.find(({ page: file }) => file.endsWith(`/${page.url}`));
    const text = (page.contents ?? "")
      .replaceAll(/^\|.*$/gm, plainRow)
      // A part of an export is no place of its own, in the outline and for the search.
      .replaceAll(
        /^#{4,6} (Type Parameters|Extend.*|Indexable|Parameters|Returns|Throws|Example)$/gm,
        "**$1**",
      )
      .replaceAll(/"(experimental\.\w+)"\(/g, "$1(");
    page.contents = `---\neditLink: false\n---\n\n# ${entryPoint?.title}\n\n${entryPoint?.summary}\n\n${text}`;
  });
  await rm(folder, { recursive: true, force: true });
  app.validate(project);
  await app.generateOutputs(project);
  await rm(join(folder, `${entryPointsPage}.md`));
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("TypeDoc has warnings");
}
