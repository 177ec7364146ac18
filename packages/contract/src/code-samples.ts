import type * as z from "zod";
import { componentOf } from "./components.ts";
import type { Operation } from "./contract.ts";
import { isOptional } from "./problems.ts";

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

function clientSample(name: string, { pathParams, query, body, responses, metadata }: Operation): string {
  const given = Object.values(examplesOf(pathParams)).map((value) => JSON.stringify(value));
  for (const named of [exampleOf(body), examplesOf(query)])
    if (Object.keys(named).length > 0) given.push(toLiteral(named));
  const call = `client.${metadata.stability === "experimental" ? "experimental." : ""}${name}(${given.join(", ")})`;
  const [success] = Object.values(responses); // in the order of the statuses
  return [
    'import { createPetstoreClient } from "@petstore/client";',
    "",
    "const client = createPetstoreClient(); // reads PETSTORE_BASE_URL and PETSTORE_API_KEY",
    ...(typeof success === "object" ? useOf(call, success) : [`await ${call};`]),
  ].join("\n");
}

function useOf(call: string, result: z.ZodType): string[] {
  const item = "element" in result ? (result.element as z.ZodType) : undefined;
  const variable = uncapitalize(componentOf(item ?? result));
  return item
    ? [`for await (const ${variable} of ${call}) {`, `  console.log(${variable});`, "}"]
    : [`const ${variable} = await ${call};`, `console.log(${variable});`];
}

function commandSample({ method, metadata: { command }, pathParams, query, body }: Operation): string {
  const named = { ...exampleOf(body), ...examplesOf(query) };
  const flags = Object.entries(named).map(([name, value]) => `--${toFlag(name)} ${quote(value)}`);
  const given = Object.values(examplesOf(pathParams)).map(quote);
  if (method === "DELETE") flags.push("--yes"); // the command asks otherwise
  return ["petstore", command, ...given, ...flags].join(" ");
}

/** The examples of the parameters. */
function examplesOf(parameters?: z.ZodObject): Record<string, unknown> {
  const examples = Object.entries(parameters?.shape ?? {}).map(([name, schema]) => {
    const example = schema.meta()?.["example"];
    if (example === undefined && !isOptional(schema as z.ZodType))
      throw new Error(`the parameter ${name} needs an example`);
    return [name, example] as const;
  });
  return Object.fromEntries(examples.filter(([, example]) => example !== undefined));
}

function exampleOf(body: Operation["body"]): object {
  return (body?.meta()?.["examples"] as object[] | undefined)?.[0] ?? {};
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
