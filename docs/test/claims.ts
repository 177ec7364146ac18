import type { Block } from "./pages.ts";

/** Who checks which blocks of the pages. */
interface Claim {
  /** The test, as a path from the root. */
  test: string;
  page: string;
  /** The language of the blocks; any when absent. */
  language?: string;
  /** How the block begins; every block of the page and language when absent. */
  begins?: string;
}

const sessions = "docs/test/sessions.test.ts";
const servers = "docs/test/servers.test.ts";
const facts = "docs/test/facts.test.ts";
const tour = "docs/test/tour.test.ts";
const tree = "docs/test/tree.test.ts";
const deploy = "apps/server/test/deploy.test.ts";

/** Every block of every page belongs to exactly one of these. A block that no test can run here is checked by what is behind it. */
export const claims: readonly Claim[] = [
  { test: servers, page: "README.md", begins: "npx pnpm@12 start" },
  // The command that CI consists of.
  { test: facts, page: "README.md", begins: "npx pnpm@12 test" },
  { test: tour, page: "README.md", language: "ts" },
  { test: sessions, page: "README.md", language: "console" },
  { test: servers, page: "README.md", begins: "export PETSTORE_DATABASE_URL" },
  { test: tree, page: "README.md", language: "text" },
  { test: facts, page: "SECURITY.md" },
  { test: sessions, page: "docs/api.md", language: "console" },
  { test: servers, page: "docs/server.md", language: "json" },
  { test: "docs/test/adding-an-operation.test.ts", page: "docs/adding-an-operation.md" },

  { test: servers, page: "docs/deployment.md", begins: "npx pnpm@12 build" },
  { test: servers, page: "docs/deployment.md", begins: "export PETSTORE_DATABASE_URL" },
  // Docker, systemd and Kubernetes are not there. The files that they are given are checked; what they run inside is run by
  // commands.test.ts, and blocks.test.ts checks the syntax and the names of files.
  { test: deploy, page: "docs/deployment.md", begins: "docker build" },
  { test: deploy, page: "docs/deployment.md", begins: "(umask 077" },
  { test: deploy, page: "docs/deployment.md", begins: "install -D" },
  { test: deploy, page: "docs/deployment.md", begins: "systemd-run" },
  { test: "apps/server/test/kubernetes.test.ts", page: "docs/deployment.md", begins: "kubectl apply" },
  { test: facts, page: "docs/deployment.md", begins: "[Service]" },
  { test: "apps/server/test/pgbouncer.test.ts", page: "docs/deployment.md", begins: "[pgbouncer]" },
  { test: facts, page: "docs/deployment.md", language: "yaml" },
  { test: "apps/server/test/nginx.test.ts", page: "docs/deployment.md", language: "nginx" },

  { test: facts, page: "docs/operations.md", begins: "npm install @opentelemetry" },
  { test: "apps/server/test/telemetry.test.ts", page: "docs/operations.md", language: "js" },
  { test: "apps/server/test/telemetry.test.ts", page: "docs/operations.md", begins: "OTEL_" },
  { test: "apps/server/test/postgresql-backup.test.ts", page: "docs/postgresql-backup.md" },

  // Installed from the package as it is packed.
  { test: "tests/client-package/test/runtimes.test.ts", page: "README.md", begins: "npm install @petstore/client" },
  { test: "tests/client-package/test/runtimes.test.ts", page: "packages/client/README.md", language: "sh" },
  { test: "packages/client/test/readme.test.ts", page: "packages/client/README.md", language: "ts" },
  { test: "packages/client/test/readme-text.test.ts", page: "packages/client/README.md", language: "text" },
  { test: "apps/cli/test/package.test.ts", page: "apps/cli/README.md", begins: "npm install" },
  { test: sessions, page: "apps/cli/README.md", language: "console" },
  { test: sessions, page: "apps/cli/README.md", begins: "petstore auth login" },
];

export function claimsOn(block: Block): Claim[] {
  return claims.filter(
    ({ page, language = block.language, begins = "" }) =>
      page === block.page && language === block.language && block.code.startsWith(begins),
  );
}

/** Whether a block is typed into the shell of a reader. */
export function isInSession(block: Block): boolean {
  return claimsOn(block).some(({ test }) => test === sessions);
}

export const sessionPages = [...new Set(claims.filter(({ test }) => test === sessions).map(({ page }) => page))];
