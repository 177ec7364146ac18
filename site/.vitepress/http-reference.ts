import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addressOf, root } from "./pages.ts";

// The HTTP reference: one page of Markdown for each operation of the OpenAPI document, so that they are searched, checked and printed
// like the other pages.

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: string[];
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  default?: Digits;
  minimum?: Digits;
  maximum?: Digits;
  minLength?: Digits;
  maxLength?: Digits;
}
interface Parameter extends Schema {
  name: string;
  in: string;
  schema: Schema;
  example?: Digits;
}
type Content = Record<
  string,
  { schema: Schema; examples?: Record<string, { value: { code: string; message: string } }> }
>;
interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, Schema>;
  content?: Content;
}
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
  "x-stability": string;
  "x-scope": string;
  "x-codeSamples": { lang: string; label: string; source: string }[];
}
interface Document {
  info: { summary: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation & { tags: string[] }>>;
  components: Record<string, Record<string, never>>;
}

/** A number of the document, with its digits as they are. */
interface Digits {
  rawJSON: string;
}
const { rawJSON } = JSON as typeof JSON & { rawJSON: (text: string) => Digits };

const document = readFileSync(join(root, "packages/contract/openapi.json"), "utf8");
// Numbers keep their digits: int64 is exact.
const api = JSON.parse(document, (_key, value: unknown, context?: { source?: string }) =>
  typeof value === "number" ? rawJSON(context?.source ?? "") : value,
) as Document;

const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

function follow<T extends { $ref?: string }>(value: T): T {
  const [, , group = "", name = ""] = value.$ref?.split("/") ?? [];
  return value.$ref === undefined
    ? value
    : { ...follow(api.components[group]?.[name] as never as T), ...value, $ref: undefined };
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const code = (text: string): string => `\`${cell(text)}\``;
const fence = (language: string, text: string, label = ""): string =>
  `\`\`\`${language}${label && ` [${label}]`}\n${text}\n\`\`\``;

/** What a value must be: `int64`, `1 to 100`, `by default 20`. */
function kindOf(declared: Schema): string {
  const {
    type = "",
    format,
    enum: values,
    minimum,
    maximum,
    minLength,
    maxLength,
    pattern,
    default: usual,
  } = follow(declared);
  const limits = minimum !== undefined && maximum !== undefined ? `, ${minimum.rawJSON} to ${maximum.rawJSON}` : "";
  const length = maxLength === undefined ? "" : `, ${minLength?.rawJSON ?? 0} to ${maxLength.rawJSON} characters`;
  const kind = values?.map(code).join(", ") ?? (format ?? type) + limits + length;
  return (
    kind +
    (pattern === undefined ? "" : `, ${code(pattern)}`) +
    (usual === undefined ? "" : `, by default ${code(usual.rawJSON)}`)
  );
}

function fields(schema: Schema): string {
  const { properties = {}, required = [] } = follow(schema);
  const rows = Object.entries(properties).map(([name, field]) => {
    const need = required.includes(name) ? "" : "<br><small>optional</small>";
    return `| ${code(name)}${need} | ${kindOf(field)} | ${cell(follow(field).description ?? "")} |`;
  });
  return ["| Field | Value | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function example(schema: Schema): string {
  const [value] = follow(schema).examples ?? [];
  return JSON.stringify(value, null, 2);
}

function curl(method: string, path: string, { parameters = [], requestBody }: Operation): string {
  const all = parameters.map(follow);
  const address = path.replace(
    /\{(\w+)\}/,
    (_, name: string) => all.find((one) => one.name === name)?.example?.rawJSON ?? "1",
  );
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} "$PETSTORE_BASE_URL${address}"`,
    `-H "Authorization: Bearer $PETSTORE_API_KEY"`,
  ];
  if (all.some(({ name }) => name === "Idempotency-Key")) lines.push(`-H "Idempotency-Key: $(uuidgen)"`);
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema) lines.push(`-H "Content-Type: application/json"`, `-d '${example(schema).replaceAll(/\n\s*/g, " ")}'`);
  return lines.join(" \\\n  ");
}

function page(method: string, path: string, operation: Operation): string {
  const responses = Object.entries(operation.responses).map(([status, response]) => ({ status, ...follow(response) }));
  const [success] = responses.filter(({ status }) => status.startsWith("2"));
  const result = success?.content?.["application/json"]?.schema;
  const body = operation.requestBody?.content["application/json"]?.schema;
  const badge = operation.deprecated ? "deprecated" : operation["x-stability"];
  const samples = [
    ...operation["x-codeSamples"].map(({ lang, label, source }) =>
      fence(lang === "Shell" ? "sh" : "ts", source, label),
    ),
    fence("sh", curl(method, path, operation), "curl"),
  ];
  const parameters = (operation.parameters ?? []).map(follow).map((parameter) => {
    const need = parameter.in === "path" ? "" : `<br><small>${parameter.in}, optional</small>`;
    return `| ${code(parameter.name)}${need} | ${kindOf(parameter.schema)} | ${cell(parameter.description ?? "")} |`;
  });
  const headers = Object.entries(success?.headers ?? {}).map(
    ([name, header]) => `| ${code(name)} | ${cell(follow(header).description ?? "")} |`,
  );
  const errors = responses
    .filter(({ status }) => status >= "4")
    .flatMap(({ status, description, content }) => {
      const codes = Object.values(content?.["application/json"]?.examples ?? {}).map(({ value }) => code(value.code));
      return `| ${status} | ${codes.join("<br>")} | ${cell(description)} |`;
    });
  const { items } = result ? follow(result) : {};
  return [
    `# ${operation.summary} <Badge type="${badge === "stable" ? "tip" : "warning"}" text="${badge}" />`,
    `${operation.description} In TypeScript and in the list of operations it is ${code(operation.operationId)}.`,
    fence("http", `${method} /v1${path}`),
    `::: code-group\n${samples.join("\n")}\n:::`,
    parameters.length > 0 &&
      ["## Parameters", "", "| Name | Value | Meaning |", "| --- | --- | --- |", ...parameters].join("\n"),
    body && `## Body\n\n${follow(body).description ?? ""}\n\n${fields(body)}\n\n${fence("json", example(body))}`,
    result &&
      `## Response\n\n${success?.status}: ${success?.description}${items ? " An array of:" : ""}\n\n${fields(items ?? result)}\n\n${fence("json", example(result))}`,
    ["### Headers", "", "| Name | Meaning |", "| --- | --- |", ...headers].join("\n"),
    [
      "## Errors",
      "",
      "[What to do about each code](../../docs/api.md#errors).",
      "",
      "| Status | Code | Meaning |",
      "| --- | --- | --- |",
      ...errors,
    ].join("\n"),
  ]
    .filter((part) => typeof part === "string")
    .join("\n\n");
}

/** Writes the pages of the operations into `folder`, with one before them, and returns what is in the sidebar. */
export function writeHttpReference(folder: string): { text: string; link: string; file: string }[] {
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const list = operations.map(({ method, path, operation }) => ({
    file: `${folder}/${operation.operationId}.md`,
    text: operation.summary,
    markdown: page(method, path, operation),
    row: `| [${operation.summary}](${operation.operationId}.md) | ${code(`${method} /v1${path}`)} | ${code(operation["x-scope"])} | ${operation.deprecated ? "deprecated" : operation["x-stability"]} |`,
  }));
  const overview = [
    "# HTTP reference",
    api.info.description.replace(
      /\n\n## /,
      `\n\n| Operation | Request | Scope | |\n| --- | --- | --- | --- |\n${list.map(({ row }) => row).join("\n")}\n\n## `,
    ),
  ];
  writeFileSync(join(root, folder, "index.md"), `${overview.join("\n\n")}\n`);
  for (const { file, markdown } of list) writeFileSync(join(root, file), `${markdown}\n`);
  return list.map(({ file, text }) => ({ file, text, link: addressOf(file) }));
}
