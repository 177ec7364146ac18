import { readFileSync } from "node:fs";
import type { Fetch } from "@petstore/client";
import type { Connections } from "./dispatcher.ts";
import { unreadable, UsageError } from "./failure.ts";
import { isLoopback } from "./setting-definitions.ts";
import { pathOf, type Terminal } from "./terminal.ts";

/** How connections are made, other than directly. */
export interface Network {
  proxy?: URL;
  /** Certificates that are trusted in addition to those of Node. */
  certificates?: string;
}

/**
 * The proxy and certificates for an address, from the usual variables. Addresses of this machine never use a proxy, as in Go.
 * @throws {UsageError} if a variable is not an address, or names a file that cannot be read
 */
export function networkFor(terminal: Terminal, baseUrl: string): Network {
  const { environment } = terminal;
  const { protocol, hostname, port } = new URL(baseUrl);
  const name = protocol === "https:" ? "https_proxy" : "http_proxy";
  const given = variable(environment, name);
  const file = environment["SSL_CERT_FILE"] ?? "";
  const isDirect = given === "" || isLoopback(baseUrl) || isExcluded(variable(environment, "no_proxy"), hostname, port);
  return {
    ...(!isDirect && { proxy: parseProxy(name, given) }),
    ...(file && { certificates: readCertificates(terminal, file) }),
  };
}

function readCertificates(terminal: Terminal, file: string): string {
  const path = pathOf(terminal, file);
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw unreadable(`SSL_CERT_FILE ${file}`, error);
  }
}

/** The lower-case name takes precedence, as in curl. */
function variable(environment: Terminal["environment"], name: string): string {
  return environment[name] ?? environment[name.toUpperCase()] ?? "";
}

function parseProxy(name: string, text: string): URL {
  const address = text.includes("://") ? text : `http://${text}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol)) return proxy;
  // Does not show the value: it may have a password.
  throw new UsageError(`${name.toUpperCase()} must be an address like http://host:port`);
}

/** Whether NO_PROXY has a host, with a port or its domain: `example.com` includes `api.example.com`. */
function isExcluded(noProxy: string, hostname: string, port: string): boolean {
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      const [, host = entry, entryPort] = /^(.*?):(\d+)$/.exec(entry) ?? [];
      if (entryPort !== undefined && entryPort !== port) return false;
      const domain = host.replace(/^\*?\.?/, "");
      return host === "*" || hostname === domain || hostname.endsWith(`.${domain}`);
    });
}

/** A proxy in words, without its password. */
export function describeProxy({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/**
 * A `fetch` for an address, with its proxy and certificates. What they need is loaded at the first request.
 * @throws {UsageError} see {@link networkFor}
 */
export function fetchFor(terminal: Terminal, baseUrl: string): Fetch {
  const network = networkFor(terminal, baseUrl);
  if (network.proxy === undefined && network.certificates === undefined) return (url, init) => fetch(url, init);
  let opening: Promise<Connections> | undefined;
  let waiting = 0;
  return async (url, init) => {
    const { dispatcher, abandon } = await (opening ??= import("./dispatcher.ts").then((loaded) =>
      loaded.openConnections(network),
    ));
    waiting++;
    try {
      return await fetch(url, { ...init, dispatcher } as RequestInit);
    } finally {
      // Another request may wait for the same tunnel.
      if (--waiting === 0) abandon();
    }
  };
}
