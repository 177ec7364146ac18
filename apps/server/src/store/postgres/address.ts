import { accessSync, constants } from "node:fs";

/** The servers of an address, in the order in which they are tried. */
export interface PostgresAddress {
  /** An address for each, as pg reads it. */
  urls: [first: string, ...others: string[]];
  /** Whether a server that takes no writes is passed over for the next one. */
  onlyWritable: boolean;
}

/** `postgres://` with user and password, the hosts, and the rest. */
const form = /^(postgres(?:ql)?:\/\/(?:[^\s/?#]*@)?)([^\s/?#@]*)([/?]\S*)?$/;

const sslModes = ["disable", "no-verify", "verify-full"];
const sessionAttributes = ["read-write", "primary"];
const files = ["sslrootcert", "sslcert", "sslkey"];

/** What may follow the `?`. pg ignores other names, among them a misspelt `sslmode`, or takes them for its own options. */
const parameters =
  "host port user password sslmode sslrootcert sslcert sslkey target_session_attrs application_name options".split(" ");

/** Several hosts are separated by commas, as libpq reads them. `undefined` when it is no address of PostgreSQL. */
export function parsePostgresUrl(url: string): PostgresAddress | undefined {
  const [, before = "", hosts = "", after = ""] = form.exec(url) ?? [];
  const [first = "", ...others] = hosts.split(",").map((host) => before + host + after);
  const isComplete = others.length === 0 || hosts.split(",").every((host) => host !== "");
  if (!isComplete || ![first, ...others].every((each) => URL.canParse(each))) return undefined;
  const onlyWritable = others.length > 0 || new URL(first).searchParams.has("target_session_attrs");
  return { urls: [first, ...others], onlyWritable };
}

/** What is wrong with the parameters of an address, as the end of a sentence. No value is named: it may be a secret. */
export function parameterProblem({ urls: [url] }: PostgresAddress): string | undefined {
  const { searchParams } = new URL(url);
  for (const [name, value] of searchParams) {
    if (!parameters.includes(name)) {
      // A password that is not percent-encoded may have put itself here.
      const which =
        /^[a-z_]+$/.test(name) && !url.includes("@", url.indexOf("?")) ? name : "a parameter it does not know";
      return `must not have ${which}: the parameters are ${parameters.join(", ")}`;
    }
    if (name === "sslmode" && !sslModes.includes(value)) {
      return "must have an sslmode of verify-full (TLS, and the certificate is checked), no-verify (TLS) or disable";
    }
    if (name === "target_session_attrs" && !sessionAttributes.includes(value)) {
      return `must have a target_session_attrs of ${sessionAttributes.join(" or ")}`;
    }
    if (files.includes(name) && !isReadable(value)) return `must have an ${name} that names a file that can be read`;
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
