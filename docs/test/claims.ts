import type { Block } from "./pages.ts";

/** Which test checks which blocks of a page. */
interface Claim {
  page: string;
  /** The language of the blocks; any when absent. */
  language?: string;
  /** How the block begins; every block of the page and language when absent. */
  begins?: string;
  /** The file of the test, as a path from the root, and its name. */
  test: `${string}.test.ts > ${string}`;
  /**
   * What the file of the test has too, so that the block cannot change without it: a part of the block, or the name of the page
   * that it reads. {@link begins} when absent.
   */
  shows?: string;
}

const facts = "docs/test/facts.test.ts";
const servers = "docs/test/servers.test.ts";
const deploy = "apps/server/test/deploy.test.ts";
const telemetry =
  "apps/server/test/telemetry.test.ts > 200 is a span of the caller's trace, which the recipe of the manual sends to a collector";
const served = `${servers} > 0: the server of README.md serves with the key that it printed, and logs as docs/server.md shows`;
const copied = `${servers} > 0: the program of docs/deployment.md runs where it was copied to`;

/** Every block of every page belongs to exactly one of these, or is {@link isTyped typed}: then it is run as it stands. */
export const claims: readonly Claim[] = [
  {
    page: "README.md",
    begins: "npx pnpm@12 start",
    test: `${servers} > 0: the first command of README.md serves sample animals, and leaves address and key in .data`,
  },
  {
    page: "README.md",
    begins: "npx pnpm@12 test",
    test: `${facts} > CI begins with the second command of README.md`,
  },
  {
    page: "README.md",
    language: "ts",
    test: "docs/test/tour.test.ts > the TypeScript of README.md is either the source or a program",
    shows: "README.md",
  },
  {
    page: "README.md",
    begins: "npm install @petstore/client",
    test: "tests/client-package/test/contents.test.ts > the package is what was built, the manual, the changes and the licence, and installs nothing else",
    shows: "@petstore/client",
  },
  { page: "README.md", begins: "export PETSTORE_DATABASE_URL", test: served },
  {
    page: "README.md",
    begins: "petstore (apps/cli)",
    test: "docs/test/tree.test.ts > the picture of README.md shows workspaces and stores that there are",
  },
  {
    page: "README.md",
    begins: "packages/\n",
    test: "docs/test/tree.test.ts > the tree of README.md names nothing that is gone",
    shows: "packages/",
  },
  {
    page: "SECURITY.md",
    begins: "pst_",
    test: `${facts} > 401 for everything that SECURITY.md does not call a key, and 200 for what it does`,
  },
  { page: "docs/server.md", language: "json", test: served, shows: "docs/server.md" },
  {
    page: "docs/adding-an-operation.md",
    test: "docs/test/adding-an-operation.test.ts > the commands of the page are the scripts of the root",
    shows: "docs/adding-an-operation.md",
  },

  { page: "docs/deployment.md", begins: "npx pnpm@12 build", test: copied },
  { page: "docs/deployment.md", begins: "export PETSTORE_DATABASE_URL", test: copied },
  // There is no Docker, systemd or Kubernetes. Their files are checked; what they run inside is run by commands.test.ts, and
  // blocks.test.ts checks the syntax and the names of files.
  {
    page: "docs/deployment.md",
    begins: "docker build",
    test: `${deploy} > the build of the image makes the program out of the files that it is given`,
    shows: "deploy/Dockerfile",
  },
  {
    page: "docs/deployment.md",
    begins: "(umask 077",
    test: `${deploy} > the passwords of compose are made by the command of the page, for its user alone to read`,
    shows: "deploy/.env",
  },
  {
    page: "docs/deployment.md",
    begins: "install -D -t ",
    test: `${deploy} > systemd runs the Node that the page installs, which writes no core dumps`,
  },
  {
    page: "docs/deployment.md",
    begins: "systemd-run",
    test: `${deploy} > systemd runs the server on settings that it takes, with longer to stop than it takes`,
    shows: "petstore.secret",
  },
  {
    page: "docs/deployment.md",
    begins: "kubectl apply",
    test: "apps/server/test/kubernetes.test.ts > kustomization.yaml names every manifest but the form of the secret",
    shows: "deploy/kubernetes",
  },
  {
    page: "docs/deployment.md",
    begins: "[Service]",
    test: `${facts} > the drop-in of docs/deployment.md opens what the unit closes`,
  },
  {
    page: "docs/deployment.md",
    begins: "[pgbouncer]",
    test: "apps/server/test/pgbouncer.test.ts > the page has the settings of PgBouncer that are tested",
    shows: "pool_mode = transaction",
  },
  {
    page: "docs/deployment.md",
    begins: "rule_files",
    test: `${facts} > Prometheus finds the rules of docs/deployment.md, and calls the job as they do`,
  },
  {
    page: "docs/deployment.md",
    begins: "upstream petstore",
    test: "apps/server/test/nginx.test.ts > the page has the configuration of nginx that is tested",
    shows: "proxy_pass http://petstore;",
  },

  {
    page: "docs/operations.md",
    begins: "npm install",
    test: `${facts} > the manual installs the packages for traces that it is tested with`,
  },
  { page: "docs/operations.md", begins: "// telemetry.mjs", test: telemetry },
  { page: "docs/operations.md", begins: "OTEL_SERVICE_NAME=", test: telemetry },
  {
    page: "docs/postgresql-backup.md",
    test: "apps/server/test/postgresql-backup.test.ts > 0: the tests know every command of the page, and the page only commands that there are",
    shows: "docs/postgresql-backup.md",
  },

  {
    page: "packages/client/README.md",
    begins: "npm install @petstore/client",
    test: "packages/client/test/readme.test.ts > only blocks of TypeScript, text, and the command that installs it: nothing is left unchecked",
  },
  {
    page: "packages/client/README.md",
    language: "ts",
    test: "packages/client/test/readme.test.ts > prints what its comments say",
    shows: "README.md",
  },
  {
    page: "packages/client/README.md",
    language: "text",
    test: "packages/client/test/readme-text.test.ts > %s stands in the tree of errors, with its class and %s",
    shows: "README.md",
  },
  {
    page: "apps/cli/README.md",
    begins: "npm install",
    test: "apps/cli/test/package.test.ts > 0: the installed petstore works on Node $major",
    shows: "@petstore/cli",
  },
];

export function claimsOn(block: Block): Claim[] {
  return claims.filter(
    ({ page, language = block.language, begins = "" }) =>
      page === block.page && language === block.language && block.code.startsWith(begins),
  );
}

/** Whether a block is typed into the shell of a reader, who sees what it prints: sessions.test.ts does that. */
export function isTyped({ language, code }: Block): boolean {
  return language === "console" || code.startsWith("petstore auth login");
}
