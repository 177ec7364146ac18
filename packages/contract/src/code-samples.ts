import type { Fields } from "./fields.ts";
import type { Operation } from "./operations.ts";

/** An item of `x-codeSamples`, an OpenAPI extension that API reference pages support. */
interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** Calls of an operation with the client and the CLI, using the examples of its declaration. */
export function codeSamples(name: string, operation: Operation): CodeSample[] {
  return [
    { lang: "TypeScript", label: "@petstore/client", source: clientSample(name, operation) },
    { lang: "Shell", label: "petstore", source: commandSample(operation) },
  ];
}

function clientSample(name: string, operation: Operation): string {
  const { stability, params, query, body, success } = operation;
  const named = { ...examplesOf(query?.fields), ...exampleOf(body) };
  const given = Object.values(examplesOf(params?.fields)).map((value) => JSON.stringify(value));
  if (Object.keys(named).length > 0) given.push(toLiteral(named));
  const call = `client.${stability === "experimental" ? "experimental." : ""}${name}(${given.join(", ")})`;
  const item = "items" in success.body ? success.body.items : undefined;
  const variable = uncapitalize((item ?? success.body).id);
  return [
    'import { createPetstoreClient } from "@petstore/client";',
    "",
    "const client = createPetstoreClient(); // reads PETSTORE_BASE_URL and PETSTORE_API_KEY",
    item ? `for await (const ${variable} of ${call}) {` : `const ${variable} = await ${call};`,
    ...(item ? [`  console.log(${variable});`, "}"] : [`console.log(${variable});`]),
  ].join("\n");
}

function commandSample({ command, params, query, body }: Operation): string {
  const named = { ...examplesOf(query?.fields), ...exampleOf(body) };
  const flags = Object.entries(named).map(([name, value]) => `--${toFlag(name)} ${quote(value)}`);
  const given = Object.values(examplesOf(params?.fields)).map(quote);
  return ["petstore", command, ...given, ...flags].join(" ");
}

/** The examples of the parameters: an explicit one, or the first value of an enumeration. */
function examplesOf(fields: Fields = {}): Record<string, unknown> {
  const examples = Object.entries(fields).map(([name, { schema, isOptional }]) => {
    const example = schema["example"] ?? (schema["enum"] as unknown[] | undefined)?.[0];
    if (example === undefined && !isOptional) throw new Error(`the parameter ${name} needs an example`);
    return [name, example] as const;
  });
  return Object.fromEntries(examples.filter(([, example]) => example !== undefined));
}

function exampleOf(body: Operation["body"]): object {
  const [example] = body?.examples ?? [{}];
  if (typeof example !== "object" || example === null) throw new Error(`the body ${body?.id} needs an example`);
  return example;
}

/** A JavaScript object literal: `{ name: "Bella" }`. */
function toLiteral(object: object): string {
  return `{ ${Object.entries(object)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")} }`;
}

/** `categoryId` → `category-id` */
function toFlag(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function quote(value: unknown): string {
  const text = String(value);
  return /^[\w.-]+$/.test(text) ? text : `"${text}"`;
}

function uncapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
