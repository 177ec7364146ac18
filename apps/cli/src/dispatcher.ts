import http from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import tls from "node:tls";
import { describeProxy, type Network } from "./network.ts";

/** The part of undici's `Agent` that is used. */
type Agent = new (options: { connect: { ca?: string[] | undefined } | Connect }) => unknown;

interface Target {
  hostname: string;
  port: string;
  protocol: string;
}

type Connect = (target: Target, done: (error: Error | null, socket: Socket | null) => void) => void;

/** That of `fetch`, which does not apply to an own `connect`. */
const connectLimitMs = 10_000;

/** Ends a tunnel that is being made. */
type Stop = (error: Error) => void;

export interface Connections {
  /** For `fetch`. */
  dispatcher: unknown;
  /** Ends the tunnels that are being made. Otherwise, they would keep the process alive. */
  abandon: () => void;
}

/**
 * A dispatcher for `fetch`, of the class that Node has built in. (Node 22 has no other way to use a proxy, and the package undici is
 * larger than this program.)
 */
export function openConnections({ proxy, certificates }: Network): Connections {
  const ca = certificates === undefined ? undefined : trustedCertificates(certificates);
  const BuiltIn = builtInAgent();
  const unfinished = new Set<Stop>();
  const connect = proxy === undefined ? { ca } : tunnels(proxy, ca, unfinished);
  return {
    dispatcher: new BuiltIn({ connect }),
    abandon: () => unfinished.forEach((stop) => stop(new Error("It is no longer needed"))),
  };
}

/** The class of the dispatcher that `fetch` uses. Node and the package undici share it by these symbols. */
function builtInAgent(): Agent {
  // Loads undici.
  void globalThis.Response;
  // TypeScript does not know these symbols.
  const shared = globalThis as unknown as Record<symbol, { constructor: Agent } | undefined>;
  const dispatcher = shared[Symbol.for("undici.globalDispatcher.2")] ?? shared[Symbol.for("undici.globalDispatcher.1")];
  if (dispatcher === undefined) throw new Error("This version of Node cannot use a proxy");
  return dispatcher.constructor;
}

function trustedCertificates(own: string): string[] {
  // Node 22.12 has no function for those of NODE_EXTRA_CA_CERTS.
  return [...(tls.getCACertificates?.("default") ?? tls.rootCertificates), own];
}

/** Connects with a time limit. @param unfinished the tunnels that are being made */
function tunnels(proxy: URL, ca: string[] | undefined, unfinished: Set<Stop>): Connect {
  return (target, done) => {
    const stop = tunnel(proxy, ca, target, (error, socket) => {
      clearTimeout(timer);
      unfinished.delete(stop);
      done(error, socket);
    });
    const seconds = connectLimitMs / 1000;
    const timer = setTimeout(() => stop(new Error(`no response within ${seconds} s`)), connectLimitMs);
    unfinished.add(stop);
  };
}

/** Connects through a proxy (CONNECT, RFC 9110 section 9.3.6). */
function tunnel(proxy: URL, ca: string[] | undefined, target: Target, done: Parameters<Connect>[1]): Stop {
  const fail = (error: Error): void => done(error, null);
  const hostname = target.hostname.replace(/^\[|\]$/g, "");
  const isSecure = target.protocol === "https:";
  const host = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${target.port || (isSecure ? "443" : "80")}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const request = (proxy.protocol === "https:" ? https : http).request({
    hostname: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port,
    method: "CONNECT",
    path: host,
    headers: {
      Host: host,
      ...(proxy.username && { "Proxy-Authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }),
    },
    ...(ca && { ca }),
    agent: false,
  });
  let stop: Stop = (error) => void request.destroy(error);
  request.on("error", ({ message }: Error) =>
    fail(new Error(`The proxy ${describeProxy(proxy)} cannot be used: ${message}`)),
  );
  request.on("response", (response) => {
    response.destroy();
    fail(refused(proxy, host, response.statusCode));
  });
  request.on("connect", ({ statusCode = 0 }, socket: Socket) => {
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      fail(refused(proxy, host, statusCode));
    } else if (!isSecure) done(null, socket);
    else {
      const secured = tls.connect({
        socket,
        host: hostname,
        // Must be a name (RFC 6066).
        ...(isIP(hostname) === 0 && { servername: hostname }),
        ALPNProtocols: ["http/1.1"],
        ...(ca && { ca }),
      });
      stop = (error) => void secured.destroy(error);
      secured.once("error", fail);
      secured.once("secureConnect", () => {
        secured.off("error", fail);
        done(null, secured);
      });
    }
  });
  request.end();
  return (error) => stop(error);
}

function refused(proxy: URL, host: string, status: number | undefined): Error {
  const credentials = proxy.username
    ? "rejected the user name or the password in its address"
    : "requires a user name and a password, which its address can have";
  const reason = status === 407 ? credentials : `refused to connect to ${host}`;
  return new Error(`The proxy ${describeProxy(proxy)} ${reason} (${status})`);
}
