import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { httpReference } from "../.vitepress/http-reference.ts";
import { readOpenApi } from "../.vitepress/openapi.ts";
import { dist, read, root, textOf } from "./site.ts";

const text = readFileSync(join(root, "packages/contract/openapi.json"), "utf8");
const operations = Object.entries(readOpenApi().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    request: `${method.toUpperCase()} /v1${path}`,
    operation,
  })),
);

/** What a reader sees of a built page, without its sidebar. */
function mainOf(page: string): string {
  return textOf(/<main[^]*<\/main>/.exec(read(page))?.[0] ?? "");
}

test.each(operations)(
  "the page of $operation.operationId has all that the document says of it",
  ({ request, operation }) => {
    const page = mainOf(`http/${operation.operationId}.html`);
    const responses = Object.entries(operation.responses);
    const errors = responses.flatMap(([, { content }]) =>
      Object.values(content?.["application/json"]?.examples ?? {}).map(
        ({ value }) => value as { code: string; message: string },
      ),
    );
    const said = [
      request,
      operation.summary,
      operation["x-scope"],
      ...operation["x-codeSamples"].flatMap(({ label, source }) => [label, ...source.split("\n")]),
      ...(operation.parameters ?? []).flatMap(({ name, description = "" }) => [
        name,
        description.replaceAll("`", ""),
      ]),
      ...responses.map(([status]) => status),
      ...responses.flatMap(([, { headers = {} }]) => Object.keys(headers)),
      ...errors.flatMap(({ code, message }) => [code, message]),
    ];
    expect(errors.length).toBeGreaterThan(8);
    expect(said.filter((each) => !page.includes(each))).toEqual([]);
  },
);

test("the first page lists every operation with its request, scope and state", () => {
  const page = mainOf("http/index.html");
  const said = operations.flatMap(({ request, operation }) => [
    operation.summary,
    request,
    operation.operationId,
    operation["x-scope"],
    operation.deprecated ? "deprecated" : operation["x-stability"],
  ]);
  expect(said.filter((each) => !page.includes(each))).toEqual([]);
});

test("every schema has a section with its fields", () => {
  const page = mainOf("http/schemas.html");
  const schemas = Object.entries(readOpenApi().components.schemas);
  const said = schemas.flatMap(([name, { properties = {} }]) => [name, ...Object.keys(properties)]);
  expect(said.length).toBeGreaterThan(30);
  expect(said.filter((each) => !page.includes(each))).toEqual([]);
});

test("a 64-bit integer of the document keeps its digits: 9223372036854775807", () => {
  const large = text.replace('"id": 1,', '"id": 9223372036854775807,');
  const markdown = httpReference(readOpenApi(large)).map((page) => page.markdown);
  expect(markdown.join("\n")).toContain('"id": 9223372036854775807,');
});

test("the document itself lies beside its pages, as it is", () => {
  expect(readFileSync(join(dist, "http/openapi.json"), "utf8")).toBe(text);
});
