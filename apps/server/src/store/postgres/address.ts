import { accessSync, constants } from "node:fs";

/** Values of `target_session_attrs`, as in libpq: whether a server has to accept writes. */
const sessionAttributes = ["any", "read-write"] as const;

/** A server, and what its sessions must be like. */
export interface Target {
  /** In the form that pg reads. */
  url: string;
  sessions: (typeof sessionAttributes)[number];
}

/** The servers of an address, in the order to try them. */
export type PostgresAddress = readonly [first: Target, ...others: Target[]];

/** `postgres://` with user and password, the hosts, and the rest. */
const form = /^(postgres(?:ql)?:\/\/(?:[^\s/?#]*@)?)([^\s/?#@]*)([/?]\S*)?$/;

const sslModes = ["disable", "no-verify", "verify-full"];
const files = ["sslrootcert", "sslcert", "sslkey"];

/** Allowed query parameters. pg ignores other names, such as a misspelt `sslmode`, or uses them as its own options. */
const parameters =
  "host port user password sslmode sslrootcert sslcert sslkey target_session_attrs application_name options".split(" ");

/** Commas separate several hosts, as in libpq. Returns `undefined` if it is not a PostgreSQL address. */
export function parsePostgresUrl(url: string): PostgresAddress | undefined {
  const [, before = "", hosts = "", after = ""] = form.exec(url) ?? [];
  const [first = "", ...others] = hosts.split(",").map((host) => before + host + after);
  const isComplete = others.length === 0 || hosts.split(",").every((host) => host !== "");
  if (!isComplete || ![first, ...others].every((each) => URL.canParse(each))) return undefined;
  const given = new URL(first).searchParams.get("target_session_attrs") ?? (others.length > 0 ? "read-write" : "any");
  const sessions = given as Target["sessions"];
  return [{ url: first, sessions }, ...others.map((other) => ({ url: other, sessions }))];
}

/** How to write a user or a password with these characters, to end a sentence. */
export const encodingAdvice = "in USER and PASSWORD, percent-encode / ? # @ : and %";

/** All problems with an address, each as the end of a sentence. Shows no value: it may be a secret. */
export function addressProblems([{ url }]: PostgresAddress): string[] {
  const { username, password, pathname, searchParams } = new URL(url);
  const unknown = [...searchParams.keys()].filter((name) => !parameters.includes(name));
  const known = [...searchParams].map(([name, value]) => parameterProblem(name, value));
  const problems = known.filter((problem) => problem !== undefined);
  // The rest of a password that contains one of these characters.
  const isSplit = pathname.includes("@") || (unknown.length > 0 && url.includes("@", url.indexOf("?")));
  if (isSplit || ![username, password, pathname].every(isEncoded)) problems.push(`must be encoded: ${encodingAdvice}`);
  else if (unknown.length > 0) {
    problems.push(`must not have ${unknown.join(", ")}: the parameters are ${parameters.join(", ")}`);
  }
  return problems;
}

function parameterProblem(name: string, value: string): string | undefined {
  if (name === "sslmode" && !sslModes.includes(value)) {
    return "must have an sslmode of verify-full (TLS with a checked certificate), no-verify (TLS) or disable";
  }
  if (name === "target_session_attrs" && !(sessionAttributes as readonly string[]).includes(value)) {
    return `must have a target_session_attrs of ${sessionAttributes.join(" or ")}`;
  }
  return files.includes(name) && !isReadable(value) ? `must have an ${name} that names a readable file` : undefined;
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text).length <= text.length; // uses the result: a bundler drops calls without effects
  } catch {
    return false;
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
