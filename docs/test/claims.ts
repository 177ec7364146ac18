import type { Block } from "./pages.ts";

/** A test, and the blocks of a page that it checks. */
interface Claim {
  /** The beginning of the block. Absent: every block of the language. */
  begins?: string;
  /** The language of the blocks. Absent: any. */
  language?: string;
  /** The file of the test, as a path from the root, and the beginning of its name. */
  test: `${string}.test.ts > ${string}`;
  /**
   * Text that the file of the test contains too, so that the block cannot change without it: a part of the block, or the name of the
   * page that the test reads. Absent: {@link begins}.
   */
  shows?: string;
}

const facts = "docs/test/facts.test.ts";
const programs = "docs/test/programs.test.ts";
const servers = "docs/test/servers.test.ts";
const deploy = "apps/server/test/deploy.test.ts";
const server = "apps/server/test";
const client = "packages/client/test";

/** By page. Every block has exactly one claim, or is {@link isTyped typed} and run as it is. */
const claimsByPage: Record<string, readonly Claim[]> = {
  "README.md": [
    { begins: "npx pnpm@12 start", test: `${servers} > 0: the first command of README.md` },
    { begins: "npx pnpm@12 test", test: `${facts} > CI begins with the second command` },
    { language: "ts", test: `${programs} > the program of README.md`, shows: "README.md" },
    { begins: "npx pnpm@12 install", test: `${programs} > the program of README.md` },
    { begins: "export PETSTORE_DATABASE_URL", test: `${servers} > 0: the server of README.md serves` },
  ],
  "SECURITY.md": [{ begins: "pst_", test: `${facts} > 401 for text that SECURITY.md does not call a key` }],
  "docs/architecture.md": [
    { begins: "flowchart", test: "docs/test/tree.test.ts > the picture of docs/architecture.md" },
    {
      language: "ts",
      test: "docs/test/tour.test.ts > the TypeScript of docs/architecture.md",
      shows: "docs/architecture.md",
    },
    { begins: "packages/", test: "docs/test/tree.test.ts > the tree of docs/architecture.md names nothing" },
  ],
  "docs/tutorial.md": [
    { begins: "npx pnpm@12 start", test: `${servers} > 0: the first command of README.md` },
    { begins: "npx pnpm@12 install", test: `${programs} > the program of docs/tutorial.md` },
    { begins: "import {", test: `${programs} > the program of docs/tutorial.md` },
    { begins: "PETSTORE_BASE_URL=", test: `${programs} > the program of docs/tutorial.md` },
    { begins: "Nala is in", test: `${programs} > the program of docs/tutorial.md` },
  ],
  "docs/server.md": [{ language: "json", test: `${servers} > 0: the server of README.md`, shows: "docs/server.md" }],
  "docs/adding-an-operation.md": [
    {
      test: "docs/test/adding-an-operation.test.ts > the commands of the page",
      shows: "docs/adding-an-operation.md",
    },
  ],
  "docs/deployment.md": [
    { begins: "npx pnpm@12 build", test: `${servers} > 0: the program of docs/deployment.md` },
    { begins: "export PETSTORE_DATABASE_URL", test: `${servers} > 0: the program of docs/deployment.md` },
    // The tests have no Docker, systemd or Kubernetes. They check the files for them. commands.test.ts runs the commands inside, and
    // blocks.test.ts checks syntax and file names.
    { begins: "docker build", test: `${deploy} > the build of the image`, shows: "deploy/Dockerfile" },
    { begins: "(umask 077", test: `${deploy} > the passwords of compose`, shows: "deploy/.env" },
    { begins: "install -D -t ", test: `${deploy} > systemd runs the Node that the page installs` },
    { begins: "install -m 644 -t ", test: `${deploy} > systemd runs processes`, shows: "deploy/petstore@.service" },
    { begins: "for port in ", test: `${deploy} > systemd runs processes`, shows: "petstore@" },
    { begins: "systemd-run", test: `${deploy} > systemd runs the server on settings`, shows: "petstore.secret" },
    { begins: "kubectl", test: `${server}/kubernetes.test.ts > kustomization.yaml names`, shows: "deploy/kubernetes" },
    { begins: "[Service]", test: `${facts} > the drop-in of docs/deployment.md` },
    { begins: "[pgbouncer]", test: `${server}/pgbouncer.test.ts > the page`, shows: "pool_mode = transaction" },
    { begins: "rule_files", test: `${facts} > Prometheus finds the rules` },
    { language: "nginx", test: `${server}/nginx.test.ts > the page`, shows: "proxy_pass http://petstore;" },
  ],
  "docs/operations.md": [
    { begins: "npm install", test: `${facts} > the manual installs the tested packages for traces` },
    { begins: "// telemetry.mjs", test: `${server}/telemetry.test.ts > 200 is a span of the caller's trace` },
    { begins: "OTEL_SERVICE_NAME=", test: `${server}/telemetry.test.ts > 200 is a span of the caller's trace` },
  ],
  "docs/performance.md": [
    {
      begins: "npx pnpm@12 bench",
      test: "bench/test/cost.test.ts > the commands of docs/performance.md",
      shows: "docs/performance.md",
    },
  ],
  "docs/postgresql-backup.md": [
    {
      test: `${server}/postgresql-backup.test.ts > 0: the tests know every command of the page`,
      shows: "docs/postgresql-backup.md",
    },
  ],
  "packages/client/README.md": [
    { begins: "npm install @petstore/client", test: `${client}/readme.test.ts > the only blocks are TypeScript` },
    { language: "ts", test: `${client}/readme.test.ts > prints the output in its comments`, shows: "README.md" },
    { language: "text", test: `${client}/readme-text.test.ts > %s is in the tree of errors`, shows: "README.md" },
  ],
  "packages/client/docs/int64.md": [
    { language: "ts", test: `${client}/readme.test.ts > prints the output in its comments`, shows: "docs/int64.md" },
  ],
  "packages/client/docs/opentelemetry.md": [
    {
      language: "ts",
      test: `${client}/opentelemetry.test.ts > the recipe records a span`,
      shows: "docs/opentelemetry.md",
    },
  ],
  "apps/cli/README.md": [
    {
      begins: "npx pnpm@12 install",
      test: "apps/cli/test/package.test.ts > 0: the installed petstore works",
      shows: "@petstore/cli",
    },
  ],
};

export const claims = Object.entries(claimsByPage).flatMap(([page, each]) => each.map((claim) => ({ page, ...claim })));

export function claimsOn(block: Block): typeof claims {
  return claims.filter(
    ({ page, language = block.language, begins = "" }) =>
      page === block.page && language === block.language && block.code.startsWith(begins),
  );
}

/** Whether readers type a block into their shell and see its output. sessions.test.ts does the same. */
export function isTyped({ language, code }: Block): boolean {
  return language === "console" || code.startsWith("petstore auth login");
}
