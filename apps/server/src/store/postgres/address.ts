import { accessSync, constants } from "node:fs";

/** The servers of an address, in the order to try them, each in the form that pg reads. */
export type PostgresAddress = readonly [first: string, ...others: string[]];

/** `postgres://` with user and password, the hosts, and the rest. */
const form = /^(postgres(?:ql)?:\/\/(?:[^\s/?#]*@)?)([^\s/?#@]*)([/?]\S*)?$/;

const sslModes = ["disable", "no-verify", "verify-full"];
const files = ["sslrootcert", "sslcert", "sslkey"];

/**
 * Allowed query parameters. pg ignores other names, such as a misspelt `sslmode`, or uses them as
 * its own options.
 */
const parameters =
  "host port user password sslmode sslrootcert sslcert sslkey application_name options".split(" ");

/**
 * Commas separate several hosts, as in libpq. Returns `undefined` if it is not a PostgreSQL
 * address.
 */
export function parsePostgresUrl(url: string): PostgresAddress | undefined {
  const [, before = "", hosts = "", after = ""] = form.exec(url) ?? [];
  const [first = "", ...others] = hosts.split(",").map((host) => before + host + after);
  const isComplete = others.length === 0 || hosts.split(",").every((host) => host !== "");
  if (!isComplete || ![first, ...others].every((each) => URL.canParse(each))) return undefined;
  return [first, ...others];
}

/** How to write a user or a password with these characters, to end a sentence. */
export const encodingAdvice = "in USER and PASSWORD, percent-encode / ? # @ : and %";

/**
 * All problems with an address, each as the end of a sentence. Shows no value: it may be a secret.
 */
export function addressProblems([url]: PostgresAddress): string[] {
  const { username, password, pathname, searchParams } = new URL(url);
  const unknown = [...searchParams.keys()].filter((name) => !parameters.includes(name));
  const known = [...searchParams].map(([name, value]) => parameterProblem(name, value));
  const problems = known.filter((problem) => problem !== undefined);
  // The rest of a password that contains one of these characters.
  const isSplit =
    pathname.includes("@") || (unknown.length > 0 && url.includes("@", url.indexOf("?")));
  if (isSplit || ![username, password, pathname].every(isEncoded))
    problems.push(`must be encoded: ${encodingAdvice}`);
  else if (unknown.length > 0) {
    problems.push(
      `must not have ${unknown.join(", ")}: the parameters are ${parameters.join(", ")}`,
    );
  }
  return problems;
}

function parameterProblem(name: string, value: string): string | undefined {
  if (name === "sslmode" && !sslModes.includes(value)) {
    return "must have an sslmode of verify-full (TLS with a checked certificate), no-verify (TLS) or disable";
  }
  return files.includes(name) && !isReadable(value)
    ? `must have an ${name} that names a readable file`
    : undefined;
}

function isEncoded(text: string): boolean {
  try {
    // uses the result: a bundler drops calls without effects
    return decodeURIComponent(text).length <= text.length;
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
