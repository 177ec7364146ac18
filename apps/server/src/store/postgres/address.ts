import { accessSync, constants } from "node:fs";

/** The servers of an address, in the order to try them. */
export interface PostgresAddress {
  /** One address per server, in the form that pg reads. */
  urls: [first: string, ...others: string[]];
  /** Whether to skip a read-only server. */
  onlyWritable: boolean;
}

/** `postgres://` with user and password, the hosts, and the rest. */
const form = /^(postgres(?:ql)?:\/\/(?:[^\s/?#]*@)?)([^\s/?#@]*)([/?]\S*)?$/;

const sslModes = ["disable", "no-verify", "verify-full"];
const sessionAttributes = ["read-write", "primary"];
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
  const onlyWritable = others.length > 0 || new URL(first).searchParams.has("target_session_attrs");
  return { urls: [first, ...others], onlyWritable };
}

/** The problem with an address's parameters, as the end of a sentence. Shows no value: it may be a secret. */
export function parameterProblem({ urls: [url] }: PostgresAddress): string | undefined {
  const { searchParams } = new URL(url);
  for (const [name, value] of searchParams) {
    if (!parameters.includes(name)) {
      // It may be part of a password that is not percent-encoded.
      const parameter = /^[a-z_]+$/.test(name) && !url.includes("@", url.indexOf("?")) ? name : "an unknown parameter";
      return `must not have ${parameter}: the parameters are ${parameters.join(", ")}`;
    }
    if (name === "sslmode" && !sslModes.includes(value)) {
      return "must have an sslmode of verify-full (TLS with a checked certificate), no-verify (TLS) or disable";
    }
    if (name === "target_session_attrs" && !sessionAttributes.includes(value)) {
      return `must have a target_session_attrs of ${sessionAttributes.join(" or ")}`;
    }
    if (files.includes(name) && !isReadable(value)) return `must have an ${name} that names a readable file`;
  }
  return undefined;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
