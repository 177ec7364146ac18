import { accessSync, constants } from "node:fs";

/** libpq's values of `target_session_attrs`. */
const sessionAttributes = ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"] as const;

/** A server, and what its sessions must be like. */
export interface Target {
  /** In the form that pg reads. */
  url: string;
  sessions: Exclude<(typeof sessionAttributes)[number], "prefer-standby">;
  /** Whether another target is better. */
  isFallback?: boolean;
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
  const targets = (sessions: Target["sessions"], isFallback = false): [Target, ...Target[]] => [
    { url: first, sessions, isFallback },
    ...others.map((other) => ({ url: other, sessions, isFallback })),
  ];
  if (given === "prefer-standby") return [...targets("standby"), ...targets("any", true)];
  return targets(given as Target["sessions"]);
}

/** The problem with an address's parameters, as the end of a sentence. Shows no value: it may be a secret. */
export function parameterProblem([{ url }]: PostgresAddress): string | undefined {
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
    if (name === "target_session_attrs" && !(sessionAttributes as readonly string[]).includes(value)) {
      return `must have a target_session_attrs of ${sessionAttributes.join(", ")}`;
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
