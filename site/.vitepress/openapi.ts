import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "@petstore/contract/int64";
import { root } from "./contents.ts";

/** The OpenAPI document, as far as the HTTP reference shows it. */
export interface OpenApi {
  info: { version: string; description: string };
  servers: [{ url: string }];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

type Integer = number | bigint;
type Scalar = Integer | string | boolean;

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
  "x-stability": string;
  "x-scope": string;
  "x-codeSamples": { lang: "TypeScript" | "Shell" | "Python"; label: string; source: string }[];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Header {
  description?: string;
  required?: boolean;
  schema: Schema;
  example?: Scalar;
}

export interface Response {
  description: string;
  headers?: Record<string, Header>;
  content?: Content;
}

type Content = Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;

export interface Schema {
  /** The component that it is, such as `#/components/schemas/Pet`. */
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: string[];
  const?: Scalar;
  pattern?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  examples?: unknown[];
  default?: Scalar;
  minimum?: Integer;
  maximum?: Integer;
  minLength?: Integer;
  maxLength?: Integer;
  minItems?: Integer;
  maxItems?: Integer;
}

export const openApiFile = join(root, "packages/contract/openapi.json");

/**
 * The document in a text. Integers that JavaScript would round are bigints, and every part is where
 * it is referred to.
 */
export function readOpenApi(text = readFileSync(openApiFile, "utf8")): OpenApi {
  const document = parseJson(text);
  return inline(document, document) as OpenApi;
}

/**
 * A value with the parts that it refers to in their place. They keep the `$ref`. What stands beside
 * it replaces a part's own.
 */
function inline(value: unknown, document: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => inline(each, document));
  if (typeof value !== "object" || value === null) return value;
  const { $ref = "" } = value as { $ref?: string };
  const part = $ref
    .split("/")
    .slice(1)
    .reduce((parent, name) => (parent as Record<string, unknown>)[name], document);
  const whole = $ref === "" ? value : { ...(part as object), ...value };
  return Object.fromEntries(
    Object.entries(whole).map(([name, each]) => [name, inline(each, document)]),
  );
}
