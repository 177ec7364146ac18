import type * as z from "zod";
import { componentOf } from "./components.ts";
import { headerName, pathTemplate, type Operation } from "./contract.ts";
import { isOptional } from "./problems.ts";

/** An item of `x-codeSamples`, an extension of OpenAPI that reference pages show. */
export interface CodeSample {
  lang: "TypeScript" | "Shell" | "Python";
  label: string;
  source: string;
}

type Examples = Readonly<Record<string, unknown>>;

/** What a sample sends: the examples of the declaration. */
interface Call {
  name: string;
  operation: Operation;
  params: Examples;
  query: Examples;
  headers: Examples;
  /** Empty if the operation has no body. */
  body: Examples;
  /** The items of the body, if it is a list of items. */
  items: readonly Examples[] | undefined;
}

/** How to call an operation, ours first. All read `PETSTORE_BASE_URL` and `PETSTORE_API_KEY`. */
export function codeSamples(name: string, operation: Operation): CodeSample[] {
  const { pathParams, query, headers, body, metadata } = operation;
  const [example = {}] = (body?.meta()?.["examples"] ?? []) as Examples[];
  const call: Call = {
    name,
    operation,
    params: examplesOf(pathParams),
    query: examplesOf(query),
    // The reference page would send an example of a key in every request, so it is none of the
    // declaration.
    headers:
      headers && "idempotency-key" in headers.shape ? { "idempotency-key": `${name}-1` } : {},
    body: example,
    items: metadata.items === undefined ? undefined : (example[metadata.items] as Examples[]),
  };
  return [
    { lang: "TypeScript", label: "@petstore/client", source: clientSample(call) },
    { lang: "Shell", label: "petstore", source: commandSample(call) },
    { lang: "Shell", label: "curl", source: curlSample(call) },
    { lang: "Python", label: "Python", source: pythonSample(call) },
  ];
}

function clientSample({ name, operation, params, query, body, items }: Call): string {
  const given = Object.values(params).map((value) => JSON.stringify(value));
  for (const named of [items ?? body, query])
    if (Object.keys(named).length > 0) given.push(toLiteral(named));
  const group = operation.metadata.stability === "experimental" ? "experimental." : "";
  const line = `client.${group}${name}(${given.join(", ")})`;
  const isLong = line.length > 60 && items === undefined;
  const call = isLong
    ? `client.${group}${name}(${given.map((each) => `\n  ${each},`).join("")}\n)`
    : line;
  const [success] = Object.values(operation.responses); // in the order of the statuses
  return [
    'import { createPetstoreClient } from "@petstore/client";',
    "",
    "// Reads PETSTORE_BASE_URL and PETSTORE_API_KEY.",
    "const client = createPetstoreClient();",
    ...(typeof success === "object"
      ? useOf(call, success, items !== undefined)
      : [`await ${call};`]),
  ].join("\n");
}

/** A list comes in pages, but the results of a batch at once. */
function useOf(call: string, result: z.ZodType, isBatch: boolean): string[] {
  if (isBatch || !("element" in result)) {
    const variable = variableOf(result);
    return [`const ${variable} = await ${call};`, `console.log(${variable});`];
  }
  const variable = variableOf(result.element as z.ZodType);
  return [`for await (const ${variable} of ${call}) {`, `  console.log(${variable});`, "}"];
}

/** The last word of its component: `results` for `BatchResults`. */
function variableOf(schema: z.ZodType): string {
  return (
    componentOf(schema)
      .match(/[A-Z][a-z]+/g)
      ?.at(-1) ?? ""
  ).toLowerCase();
}

/** `listPets` is `pets list`. A list of items is a file that is imported. */
function commandSample({ name, operation, params, query, body, items }: Call): string {
  if (items) {
    // An import makes the keys itself.
    const lines = items.map(
      (item) => `'${JSON.stringify({ ...item, idempotencyKey: undefined })}'`,
    );
    return `printf '%s\\n' ${lines.join(" ")} | petstore pets import - --import-id ${name}-1`;
  }
  const [, verb = "", noun = ""] = /^([a-z]+)(\w+?)s?$/.exec(name) ?? [];
  const flags = Object.entries({ ...body, ...query }).map(
    ([field, value]) => `--${toFlag(field)} ${String(value)}`,
  );
  if (operation.method === "DELETE") flags.push("--yes"); // the command asks otherwise
  return [
    "petstore",
    `${noun.toLowerCase()}s`,
    verb,
    ...Object.values(params).map(String),
    ...flags,
  ].join(" ");
}

function curlSample({ operation, params, query, headers, body }: Call): string {
  const { method } = operation;
  const search = Object.entries(query).map(([field, value]) => `${field}=${String(value)}`);
  const url = `$PETSTORE_BASE_URL${[pathOf(operation, params), ...search].join("?")}`;
  const lines = [`"${url}"`, '-H "Authorization: Bearer $PETSTORE_API_KEY"'];
  for (const [header, value] of Object.entries(headers))
    lines.push(`-H "${headerName(header)}: ${String(value)}"`);
  if (operation.body)
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`);
  const isImplied = method === "GET" || (method === "POST" && operation.body !== undefined);
  return `curl${isImplied ? "" : ` -X ${method}`} ${lines.join(" \\\n  ")}`;
}

function pythonSample({ operation, params, query, headers, body }: Call): string {
  const sent = Object.entries(headers).map(
    ([header, value]) => `, "${headerName(header)}": ${JSON.stringify(value)}`,
  );
  return [
    "import os",
    "",
    "import requests",
    "",
    `response = requests.${operation.method.toLowerCase()}(`,
    `    os.environ["PETSTORE_BASE_URL"] + "${pathOf(operation, params)}",`,
    `    headers={"Authorization": "Bearer " + os.environ["PETSTORE_API_KEY"]${sent.join("")}},`,
    ...(Object.keys(query).length > 0 ? [`    params=${toPython(query)},`] : []),
    ...(operation.body ? [`    json=${toPython(body)},`] : []),
    ")",
    "response.raise_for_status()",
    operation.method === "DELETE" ? "print(response.status_code)" : "print(response.json())",
  ].join("\n");
}

function pathOf({ path }: Operation, params: Examples): string {
  return pathTemplate(path).replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
}

/** The examples of parameters. One that must be sent needs an example. */
function examplesOf(parameters?: z.ZodObject): Examples {
  const examples = Object.entries(parameters?.shape ?? {}).map(([name, schema]) => {
    const example = schema.meta()?.["example"];
    if (example === undefined && !isOptional(schema as z.ZodType))
      throw new Error(`the parameter ${name} needs an example`);
    return [name, example] as const;
  });
  return Object.fromEntries(examples.filter(([, example]) => example !== undefined));
}

/** A literal of JavaScript: `{ name: "Bella" }`. */
function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[\n${value.map((item) => `  ${toLiteral(item)},\n`).join("")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${name}: ${toLiteral(each)}`)
    .join(", ")} }`;
}

/** A literal of Python. That of strings, integers, lists and objects is JSON. */
function toPython(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/\n */g, " ")
    .replaceAll(/(?<=[[{]) | (?=[\]}])/g, "");
}

/** `categoryId` is `category-id`. */
function toFlag(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
