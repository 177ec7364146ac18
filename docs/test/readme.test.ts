import { idempotencyWindowMs } from "@petstore/contract";
import { read } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { drawnBadges } from "../scripts/badges.ts";

const readme = read("README.md");
const badges = drawnBadges();

test.each(badges)(
  "the badge $file is as `pnpm generate` writes it, and README.md says the same",
  ({ file, svg, description }) => {
    expect(read(file)).toBe(svg);
    expect(readme).toContain(`![${description}](${file})`);
  },
);

test("README.md has no other badge", () => {
  expect(readme.match(/!\[/g)).toHaveLength(badges.length);
  expect(badges.length).toBeGreaterThan(3);
});

test("README.md says that the packages are not on npm, as long as they have no version", () => {
  const { version } = JSON.parse(read("packages/client/package.json")) as { version: string };
  expect(readme.includes("not on npm yet")).toBe(version === "0.0.0");
});

test("the figures of README.md match the tests", () => {
  const size = badges.find(({ file }) => file.endsWith("size.svg"))?.description.replace("client: ", "") ?? "";
  expect(readme).toContain(`**A ${size} client with no dependencies**`);
  expect(readme).toContain(`For ${idempotencyWindowMs / 3_600_000} hours`);
  const alerts = read("deploy/prometheus/alerts.yaml").match(/- alert: /g) ?? [];
  expect(readme).toContain(` ${alerts.length} alerts`);
  const fields = read("docs/test/adding-a-field.test.ts");
  const [, files = ""] = /expect\(files\)\.toHaveLength\((\d+)\)/.exec(fields) ?? [];
  const [, unnamed = ""] = /expect\(migrations\)\.toHaveLength\((\d+)\)/.exec(fields) ?? [];
  expect(readme).toContain(`touches ${files} files, and the compiler names ${Number(files) - Number(unnamed)} of them`);
  const [, operations = ""] =
    /"PETSTORE_TEST_OPERATIONS"\] \?\? endurance\(([\d_]+)/.exec(read("apps/server/test/store.test.ts")) ?? [];
  expect(readme).toContain(` ${Number(operations.replaceAll("_", "")).toLocaleString("en")} random operations`);
});
