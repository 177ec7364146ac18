import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
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

/**
 * A dispatcher for `fetch`, of the class that Node has built in. (Node 22 has no other way to use a proxy, and the package undici is
 * larger than this program.)
 */
export function createDispatcher({ proxy, certificates }: Network): unknown {
  const ca = certificates === undefined ? undefined : trustedCertificates(certificates);
  const BuiltIn = builtInAgent();
  return new BuiltIn({ connect: proxy === undefined ? { ca } : (target, done) => tunnel(proxy, ca, target, done) });
}

/** The class of the dispatcher that `fetch` uses. Node and the package undici share it by these symbols. */
function builtInAgent(): Agent {
  // Loads undici.
  void globalThis.Response;
  const shared = globalThis as unknown as Record<symbol, { constructor: Agent } | undefined>;
  const dispatcher = shared[Symbol.for("undici.globalDispatcher.2")] ?? shared[Symbol.for("undici.globalDispatcher.1")];
  if (dispatcher === undefined) throw new Error("This version of Node cannot use a proxy");
  return dispatcher.constructor;
}

function trustedCertificates(own: string): string[] {
  // Node 22.12 has no function for those of NODE_EXTRA_CA_CERTS.
  return [...(tls.getCACertificates?.("default") ?? tls.rootCertificates), own];
}

/** Connects through a proxy (CONNECT, RFC 9110 section 9.3.6). */
function tunnel(proxy: URL, ca: string[] | undefined, target: Target, done: Parameters<Connect>[1]): void {
  const fail = (error: Error): void => done(error, null);
  const host = `${target.hostname}:${target.port || (target.protocol === "https:" ? "443" : "80")}`;
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
  request.on("error", (error: Error) =>
    fail(new Error(`The proxy ${describeProxy(proxy)} cannot be used: ${error.message}`)),
  );
  request.on("response", (response) => {
    response.destroy();
    fail(refused(proxy, host, response.statusCode));
  });
  request.on("connect", ({ statusCode = 0 }, socket: Socket) => {
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      fail(refused(proxy, host, statusCode));
    } else if (target.protocol === "http:") done(null, socket);
    else {
      const secured = tls.connect({
        socket,
        servername: target.hostname,
        ALPNProtocols: ["http/1.1"],
        ...(ca && { ca }),
      });
      secured.once("error", fail);
      secured.once("secureConnect", () => {
        secured.off("error", fail);
        done(null, secured);
      });
    }
  });
  request.end();
}

function refused(proxy: URL, host: string, status: number | undefined): Error {
  const credentials = proxy.username
    ? "rejected the user name or the password in its address"
    : "requires a user name and a password, which its address can have";
  const reason = status === 407 ? credentials : `refused to connect to ${host}`;
  return new Error(`The proxy ${describeProxy(proxy)} ${reason} (${status})`);
}
