/** A page: its file in the checkout, and its address on the site. */
export interface SourcePage {
  file: string;
  slug: string;
}

interface Section {
  label: string;
  pages: readonly SourcePage[];
}

/** Becomes the home page. */
export const home: SourcePage = { file: "README.md", slug: "" };

/** The sidebar. Every page of docs/ must be in it: the build fails otherwise. */
export const sections: readonly Section[] = [
  { label: "Start here", pages: [docs("tutorial"), docs("troubleshooting")] },
  { label: "Board", pages: [docs("board")] },
  { label: "API", pages: [docs("api")] },
  {
    label: "Client",
    pages: [
      { file: "packages/client/README.md", slug: "client" },
      { file: "packages/client/docs/int64.md", slug: "client/int64" },
      { file: "packages/client/docs/opentelemetry.md", slug: "client/opentelemetry" },
      { file: "packages/client/docs/reference.md", slug: "client/reference" },
    ],
  },
  { label: "Command line", pages: [{ file: "apps/cli/README.md", slug: "cli" }] },
  {
    label: "Operators",
    pages: [
      docs("server"),
      docs("configuration"),
      docs("deployment"),
      docs("operations"),
      docs("scaling"),
      docs("postgresql-backup"),
      docs("upgrading"),
    ],
  },
  {
    label: "Contributors",
    pages: [
      { file: "CONTRIBUTING.md", slug: "contributing" },
      docs("architecture"),
      docs("adding-an-operation"),
      docs("adding-a-field"),
      docs("decisions"),
      docs("performance"),
      { file: "bench/README.md", slug: "benchmarks" },
      { file: "SECURITY.md", slug: "security" },
    ],
  },
];

function docs(name: string): SourcePage {
  return { file: `docs/${name}.md`, slug: name };
}

/** Every page of the site. */
export const pages: readonly SourcePage[] = [home, ...sections.flatMap((section) => section.pages)];

/** The files that are not pages of the site. */
export function unlisted(files: readonly string[]): string[] {
  const listed = new Set(pages.map(({ file }) => file));
  return files.filter((file) => !listed.has(file));
}
