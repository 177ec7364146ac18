import { read } from "@petstore/test-kit/checkout";
import { lexer, walkTokens } from "marked";
import { expect, test } from "vitest";
import {
  isReleased,
  readVersion,
  versionLabel,
  withImageVersion,
  withReleaseState,
} from "../../scripts/release.ts";
import { pages } from "./markdown-pages.ts";

const mark = /<!-- release: [a-z ]+ -->/;

/**
 * Installations of our packages from a registry, and of images and files of a release. A path, as
 * in `./petstore-client-*.tgz`, is none.
 */
const installations = [
  /\b(?:npm|pnpm|yarn|bun|deno|npx|bunx|pnpx)\b.*\s(?:npm:)?@petstore\/(?:client|cli)\b/,
  /(?:npm|jsr):\/?@petstore\//,
  /https:\/\/[\w.]+\/(?:npm\/)?@petstore\//,
  /\bdocker (?:pull|run)\b.* [\w-]+\.[\w.-]+\/[\w/-]*petstore/,
  /\/releases\/(?:latest\/)?download\//,
];

/**
 * Commands of workspaces in a checkout, such as `npx pnpm@12 --filter @petstore/client build`, and
 * of releases.
 */
const inCheckout = /pnpm(?:@\d+)? .*--filter|\bnpm publish\b/;

/**
 * Code of a page that installs what is released, before which the page does not say what is
 * released.
 */
function unmarkedInstallations(text: string): string[] {
  const found: string[] = [];
  let isMarked = false;
  void walkTokens(lexer(text), (token) => {
    if (token.type === "heading") isMarked = false;
    if (token.type === "html") isMarked ||= mark.test(token.raw);
    if (token.type !== "code" || isMarked) return;
    const lines = (token["text"] as string).split("\n").filter((line) => !inCheckout.test(line));
    found.push(
      ...lines.filter((line) => installations.some((installation) => installation.test(line))),
    );
  });
  return found;
}

test("every block that installs a released package is in a part of its page that says what is released", () => {
  const marked = pages.filter((page) => mark.test(read(page)));
  expect(marked).toEqual(
    expect.arrayContaining([
      "README.md",
      "apps/cli/README.md",
      "docs/tutorial.md",
      "packages/client/README.md",
    ]),
  );
  expect(
    pages.flatMap((page) => unmarkedInstallations(read(page)).map((line) => `${page}: ${line}`)),
  ).toEqual([]);
});

test.each([
  "npm install @petstore/client",
  "npm install --global @petstore/cli@latest",
  "pnpm add @petstore/client",
  "npx @petstore/cli pets list",
  "deno add npm:@petstore/client",
  'import { createPetstoreClient } from "npm:@petstore/client@1";',
  'import { createPetstoreClient } from "https://esm.sh/@petstore/client";',
  "docker run -p 8080:8080 ghcr.io/petstore/petstore-server:1.0.0",
  "curl -LO https://github.com/petstore/petstore/releases/latest/download/petstore-server.mjs",
])("a page that says nothing about the release is found by: %s", (line) => {
  expect(unmarkedInstallations(`# Page\n\n\`\`\`sh\n${line}\n\`\`\`\n`)).toEqual([line]);
});

test.each(["npm install ./petstore-client-*.tgz", "npx pnpm@12 --filter @petstore/client build"])(
  "a page that builds what it installs need not say what is released: %s",
  (line) => {
    expect(unmarkedInstallations(`\`\`\`sh\n${line}\n\`\`\`\n`)).toEqual([]);
  },
);

/** What a page says about the release. */
function statesOf(page: string, version: string): string[] {
  const text = withReleaseState(page, read(page), version);
  return [...text.matchAll(/<!-- release: [a-z ]+ -->\n\n(.*)\n\n<!-- \/release -->/g)].map(
    ([, state = ""]) => state,
  );
}

test.each([
  ["0.0.0", "README.md", "Nothing is released yet."],
  [
    "0.0.0",
    "packages/client/README.md",
    "`@petstore/client` is not released yet: [build it in a checkout](../../README.md#the-client). After the first release, it is on npm:",
  ],
  [
    "0.0.0",
    "apps/cli/README.md",
    "`@petstore/cli` is not released yet: [build it in a checkout](#from-a-checkout). After the first release, it is on npm:",
  ],
  ["1.0.0", "README.md", "Version 1.0.0 of the client and of the command line is on npm."],
  ["1.0.0", "packages/client/README.md", "`@petstore/client` 1.0.0 is on npm."],
  ["1.0.0", "apps/cli/README.md", "`@petstore/cli` 1.0.0 is on npm."],
])("with version %s, %s says: %s", (version, page, state) => {
  expect(statesOf(page, version)).toEqual([state]);
});

test("after a release, no page says that something is not released", () => {
  const saying = pages.filter((page) =>
    /(?:not|[Nn]othing is) released/.test(withReleaseState(page, read(page), "1.0.0")),
  );
  expect(saying).toEqual([]);
});

test("a mark with an unknown name is rejected", () => {
  const text = "<!-- release: clinet -->\n<!-- /release -->\n";
  expect(() => withReleaseState("README.md", text, "1.0.0")).toThrow(
    'README.md: there is no package "clinet"',
  );
});

test.each(pages.filter((page) => /^<!-- release/m.test(read(page))))(
  "%s has the state of the checkout",
  (page) => {
    expect(withReleaseState(page, read(page), readVersion())).toBe(read(page));
    expect(read(page).match(/^<!-- release/gm)?.length).toBe(statesOf(page, "1.0.0").length);
  },
);

test.each(["packages/client", "apps/cli", "apps/server"])(
  "%s has the version of the client",
  (workspace) => {
    expect(JSON.parse(read(`${workspace}/package.json`))).toMatchObject({ version: readVersion() });
  },
);

test.each([
  ["deploy/Dockerfile", 2],
  ["deploy/compose.yaml", 1],
  ["docs/deployment.md", 2],
])("%s has the version of the checkout, and after a release that of the release", (file, count) => {
  expect(withImageVersion(read(file), readVersion())).toBe(read(file));
  expect(withImageVersion(read(file), "7.6.5").split("7.6.5")).toHaveLength(count + 1);
});

test("the header of the site says that nothing is released, or the version", () => {
  expect(["0.0.0", "1.0.0"].map(versionLabel)).toEqual(["not released", "1.0.0"]);
  expect(["0.0.0", "1.0.0"].map(isReleased)).toEqual([false, true]);
});
