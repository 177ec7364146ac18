import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./contents.ts";
import {
  readOpenApi,
  type Header,
  type OpenApi,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from "./openapi.ts";

// The HTTP reference: one page of Markdown for each operation of the OpenAPI document, so that they
// are searched, checked and read by machines like the other pages. Made when the site is built.

/** Where it is written, from the root. Git ignores it. */
const folder = "site/http";

export const httpIndex = `${folder}/index.md`;
/** The document beside its pages, which the build writes only into the site. */
export const openApiCopy = `${folder}/openapi.json`;
const schemasPage = `${folder}/schemas.md`;

interface Page {
  /** From the root. */
  file: string;
  title: string;
  markdown: string;
}

/** Writes the pages. @returns those after the first one, in the order of the sidebar */
export function writeHttpReference(): Page[] {
  const [index, ...others] = httpReference(readOpenApi());
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder));
  for (const { file, markdown } of [index, ...others])
    writeFileSync(join(root, file), `${markdown}\n`);
  return others;
}

export function httpReference({
  info,
  servers: [{ url }],
  paths,
  components,
}: OpenApi): [index: Page, ...Page[]] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operation,
      request: `${method.toUpperCase()} ${url}${path}`,
    })),
  );
  return [
    { file: httpIndex, title: "HTTP reference", markdown: overview(info, operations) },
    ...operations.map(({ operation, request }) => operationPage(operation, request)),
    { file: schemasPage, title: "Schemas", markdown: schemas(components.schemas) },
  ];
}

function overview(
  { version, description }: OpenApi["info"],
  operations: readonly { operation: Operation; request: string }[],
): string {
  const [summary = "", ...sections] = description.split(/(?=^## )/m);
  const rows = operations.map(
    ({ operation: { operationId, summary: title, ...operation }, request }) => [
      `[${title}](${operationId}.md)`,
      code(request),
      code(operationId),
      code(operation["x-scope"]),
      stateOf(operation),
    ],
  );
  const responses = operations.flatMap(({ operation }) => responsesOf(operation));
  return paragraphs(
    "---\neditLink: false\n---",
    "# HTTP reference",
    summary.trim(),
    `The specification for tools and generators of clients: [openapi.json](openapi.json), OpenAPI 3.1, version ${version} of the API. The [API guide](../../docs/api.md) explains how to use it.`,
    table(["Operation", "Request", "Name", "Scope", "State"], rows),
    ...sections.map((section) => section.trim()),
    headers(responses),
  );
}

/** What marks code as one of a language. */
const fences = { TypeScript: "ts", Shell: "sh", Python: "python" };

function operationPage(operation: Operation, request: string): Page {
  const { operationId, summary: title, description, requestBody } = operation;
  const responses = responsesOf(operation);
  const samples = operation["x-codeSamples"].map(({ lang, label, source }) =>
    fence(`${fences[lang]} [${label}]`, source),
  );
  const body = requestBody?.content["application/json"];
  const [sent] = Object.values(body?.examples ?? {});
  return {
    file: `${folder}/${operationId}.md`,
    title,
    markdown: paragraphs(
      "---\neditLink: false\n---",
      `# ${title} (${operationId})`,
      description,
      fence("http", request),
      `::: code-group\n${samples.join("\n")}\n:::`,
      operation.parameters && parameters(operation.parameters),
      body && paragraphs("## Body", describe(body.schema), sent && example(sent.value)),
      ...responses.filter(({ status }) => status < "4").map(successOf),
      errors(responses.filter(({ status }) => status >= "4")),
      headers(responses),
    ),
  };
}

function responsesOf(operation: Operation): (Response & { status: string })[] {
  return Object.entries(operation.responses).map(([status, response]) => ({ status, ...response }));
}

function parameters(all: readonly Parameter[]): string {
  const rows = all.map(({ name, in: place, required, description, schema }) => [
    `${code(name)}${required ? "" : " (optional)"}`,
    place,
    kindOf(schema),
    description,
  ]);
  return paragraphs("## Parameters", table(["Name", "In", "Value", "Meaning"], rows));
}

function successOf({ status, description, content }: Response & { status: string }): string {
  const schema = content?.["application/json"]?.schema;
  const [shown] = schema?.examples ?? [];
  return paragraphs(
    `## Response ${status}`,
    schema === undefined ? `${description} The response has no body.` : describe(schema),
    shown === undefined ? undefined : example(shown),
  );
}

function errors(responses: readonly (Response & { status: string })[]): string {
  const rows = responses.flatMap(({ status, content }) =>
    Object.values(content?.["application/json"]?.examples ?? {}).map(({ value }) => {
      const { code: name, message } = value as { code: string; message: string };
      return [status, code(name), message.replaceAll("<", "\\<")];
    }),
  );
  return paragraphs(
    "## Errors",
    "The body is an [Error](schemas.md#error). [What to do about each code](../../docs/api.md#errors). The messages are examples.",
    table(["Status", "Code", "Message"], rows),
  );
}

/** Each header with the statuses of the responses that have it. */
function headers(responses: readonly (Response & { status: string })[]): string {
  const found = new Map<string, { header: Header; statuses: Set<string> }>();
  for (const { status, headers: own = {} } of responses) {
    for (const [name, header] of Object.entries(own)) {
      const { statuses } = found.get(name) ?? { statuses: new Set() };
      found.set(name, { header, statuses: statuses.add(status) });
    }
  }
  const all = [...new Set(responses.map(({ status }) => status))].toSorted();
  const rows = [...found].map(([name, { header, statuses }]) => [
    code(name),
    among(statuses, all),
    `${header.description}${header.example === undefined ? "" : ` For example ${code(String(header.example))}`}`,
  ]);
  return paragraphs("## Headers of the responses", table(["Name", "Status", "Meaning"], rows));
}

/** Some of all: by their names, or by those of the others if they are fewer. */
function among(some: ReadonlySet<string>, all: readonly string[]): string {
  const others = all.filter((each) => !some.has(each));
  if (others.length === 0) return "all";
  return others.length < some.size
    ? `all but ${others.join(", ")}`
    : [...some].toSorted().join(", ");
}

function schemas(all: OpenApi["components"]["schemas"]): string {
  const sections = Object.entries(all).map(([name, schema]) => {
    const [shown] = schema.examples ?? [];
    return paragraphs(
      `## ${name}`,
      describe(schema),
      shown === undefined ? undefined : example(shown),
    );
  });
  return paragraphs(
    "---\neditLink: false\n---",
    "# Schemas",
    "Every object and list that requests and responses have, by its name in `openapi.json`.",
    ...sections,
  );
}

/** What a body is: its description, and its fields. */
function describe(schema: Schema): string {
  const { description, properties, items, required = [], enum: values } = schema;
  if (items) return paragraphs(description, `It is an array of ${kindOf(items)}:`, fields(items));
  if (values) return paragraphs(description, `One of ${values.map(code).join(", ")}.`);
  return paragraphs(description, properties && fields({ properties, required }));
}

function fields({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, field]) => [
    `${code(name)}${required.includes(name) ? "" : " (optional)"}`,
    kindOf(field),
    descriptionOf(field),
  ]);
  return table(["Field", "Value", "Meaning"], rows);
}

/** That of the field, and otherwise that of what it refers to or may be. */
function descriptionOf(field: Schema): string {
  const { description, anyOf = [] } = field;
  return description ?? anyOf.flatMap((each) => each.description ?? []).join(" ");
}

/** What a value must be: `int64`, `integer, 1 to 100, 20 by default`, a link to a schema. */
function kindOf(schema: Schema): string {
  const {
    $ref,
    type,
    format,
    enum: values,
    const: only,
    anyOf,
    items,
    pattern,
    default: usual,
    ...limits
  } = schema;
  if (values) return values.map(code).join(", ");
  const name = $ref?.replace(/.*\//, "");
  if (name !== undefined) return `[${name}](schemas.md#${name.toLowerCase()})`;
  if (anyOf) return anyOf.map(kindOf).join(", or ");
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = limits;
  return [
    only !== undefined
      ? code(String(only))
      : items
        ? `array of ${kindOf(items)}`
        : typeOf(format ?? type ?? "string"),
    between(minimum, maximum, ""),
    between(minLength, maxLength, " characters"),
    between(minItems, maxItems, " items"),
    pattern && code(pattern),
    usual !== undefined && `${code(String(usual))} by default`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** JavaScript rounds an `int64`: it leads to what to do about that. */
function typeOf(type: string | string[]): string {
  return type === "int64" ? "[int64](index.md#_64-bit-integers)" : String(type);
}

function between(
  from: number | bigint | undefined,
  to: number | bigint | undefined,
  unit: string,
): string {
  if (from === undefined && to === undefined) return "";
  if (to === undefined && from === 1) return "not empty";
  return to === undefined ? `at least ${from}${unit}` : `${from ?? 0} to ${to}${unit}`;
}

function stateOf({
  deprecated,
  "x-stability": stability,
}: Pick<Operation, "deprecated" | "x-stability">): string {
  return deprecated ? "deprecated" : stability;
}

function example(value: unknown): string {
  return fence("json", stringify(value));
}

/** JSON for readers. Integers that JavaScript would round keep their digits. */
function stringify(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, each: unknown) => (typeof each === "bigint" ? rawJSON(String(each)) : each),
    2,
  );
}

const { rawJSON } = JSON as typeof JSON & { rawJSON: (text: string) => unknown };

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function table(
  columns: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
): string {
  const lines = [
    columns,
    columns.map(() => "---"),
    ...rows.map((row) => row.map((cell = "") => cell.replaceAll("\n", " "))),
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function paragraphs(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join("\n\n");
}
