import type { RawRequestOptions, request } from "@petstore/client";
import { parseJson, stringifyJson } from "@petstore/contract/int64";
import { UsageError } from "../../failure/failure.ts";
import type { Selection } from "../../output/selection.ts";
import type { Terminal } from "../../types.ts";
import { readJson } from "../input.ts";

export interface ApiOptions extends Selection {
  rawField?: string[];
  field?: string[];
  input?: string;
  paginate?: boolean;
  idempotencyKey?: string;
}

type HttpMethod = Parameters<typeof request>[1];

/** The arguments of `request`. */
export interface ApiRequest {
  method: HttpMethod;
  path: string;
  options: RawRequestOptions;
}

/** @throws {UsageError} if the command line is not a request */
export async function readRequest(
  terminal: Terminal,
  baseUrl: string,
  args: readonly [method: string | undefined, path: string | undefined],
  given: ApiOptions,
): Promise<ApiRequest> {
  // With one argument, that is the path.
  const [method, path] = args[1] === undefined ? [undefined, args[0]] : args;
  const isMissing = !path || (method === undefined && methods.some((each) => each === path.toUpperCase()));
  if (isMissing) throw new UsageError("Missing path, for example: petstore api pets", "See petstore api --help");
  // Parsers of URLs remove these.
  if (/\p{Cc}|^ | $/u.test(path)) {
    throw new UsageError("The path must not have control characters, such as line breaks, or blanks around it");
  }
  const fields = readFields(given);
  const hasFields = Object.keys(fields).length > 0;
  const hasInput = given.input !== undefined;
  const chosen = toMethod(method ?? (hasFields || hasInput ? "POST" : "GET"));
  if (given.paginate === true && chosen !== "GET") throw new UsageError("--paginate needs the method GET");
  const hasNoBody = chosen === "GET" || chosen === "HEAD";
  if (hasNoBody && hasInput) throw new UsageError(`--input cannot be used with the method ${chosen}`);
  const isQuery = hasInput || hasNoBody;
  const body: unknown = given.input === undefined ? undefined : await readJson(terminal, given.input);
  const options: RawRequestOptions = {
    query: isQuery ? toQuery(fields) : {},
    body: isQuery || !hasFields ? body : fields,
    idempotencyKey: given.idempotencyKey,
  };
  return { method: chosen, path: toPath(baseUrl, path), options };
}

const methods: readonly HttpMethod[] = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

function toMethod(text: string): HttpMethod {
  const method = methods.find((each) => each === text.toUpperCase());
  if (method === undefined) throw new UsageError(`The method must be one of ${methods.join(", ")}, not ${text}`);
  return method;
}

/** The path relative to the base URL. The client rejects one that leaves it. */
function toPath(baseUrl: string, given: string): string {
  const path = given.startsWith("/") ? given : `/${given}`;
  // A path that begins like that of the base URL, such as /v1/pets.
  const { pathname } = new URL(`${baseUrl}/`);
  return path.startsWith(pathname) ? path.slice(pathname.length - 1) : path;
}

/** The fields of `-f` and `-F` by name. */
function readFields({ rawField = [], field = [] }: ApiOptions): object {
  const values = new Map<string, unknown>();
  function add(text: string, flag: string, read: (value: string) => unknown): void {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === "") throw new UsageError(`${flag} '${text}' must be like name=value`);
    if (values.has(name)) throw new UsageError(`The field ${name} is given twice`);
    values.set(name, read(value));
  }
  for (const text of rawField) add(text, "--raw-field", (value) => value);
  for (const text of field) add(text, "--field", typed);
  return Object.fromEntries(values);
}

/** Numbers are exact, whatever their size. */
function typed(text: string): unknown {
  return /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/.test(text) ? parseJson(text) : text;
}

function toQuery(fields: object): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainText(value)]));
}

/** Strings unquoted, nothing for null, and anything else as JSON. */
function plainText(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value : stringifyJson(value);
}
