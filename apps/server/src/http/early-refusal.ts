import { operations, type Operation } from "@petstore/contract";
import { deprecationHeaders, jsonType, safeHeaders, unavailable } from "@petstore/service";
import type { Logger } from "pino";
import type { Metrics } from "../monitoring/metrics.ts";
import { pauseMs, type Admission } from "./admission.ts";
import type { Connection } from "./connection.ts";
import { readPlainRequest } from "./plain-request.ts";
import { toRequestId } from "./request-id.ts";
import { toHead } from "./respond.ts";

/** How often to log the number of rejected requests. */
const logMs = 1_000;

interface Options {
  admission: Admission;
  log: Logger;
  metrics: Metrics;
  keepAliveTimeout: number;
  /** Extra headers of every response. */
  headers: Readonly<Record<string, string>>;
}

/**
 * Rejects requests that cannot be served in time, before they are parsed. A rejection must be far cheaper than a response: under
 * three times the load that it can serve, the server rejects two requests for each one it serves.
 */
export function refuseEarly({ admission, log, metrics, keepAliveTimeout, headers }: Options) {
  const keptAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}\r\n`;
  const held = new Set<() => void>();
  const heads = new Map(Object.values<Operation>(operations).map((each) => [each, headOf(each, headers)]));
  let count = 0;

  function send(connection: Connection, head: string): void {
    const ending = connection.isEnding ? "Connection: close\r\n" : keptAlive;
    connection.sendRefusal(`${head}Date: ${currentDate()}\r\n${ending}\r\n${body}`);
  }

  /** Delays the response. Otherwise Node could read the client's next request in the same turn, and the turn would not end. */
  function sendLater(connection: Connection, sendNow: () => void): void {
    const sendOnce = (): void => {
      held.delete(sendOnce);
      connection.socket.off("end", sendOnce);
      sendNow();
    };
    connection.holdRefusal(sendOnce);
    if (held.size === 0) setTimeout(sendHeld, pauseMs);
    held.add(sendOnce);
  }

  function sendHeld(): void {
    for (const sendOnce of held) sendOnce();
  }

  function countRefusal(): void {
    if (count++ > 0) return;
    setTimeout(() => {
      log.info({ status: unavailable.status, code: unavailable.code, count }, "requests rejected");
      count = 0;
    }, logMs);
  }

  /** Returns whether it rejected the request. */
  return (connection: Connection, bytes: Buffer): boolean => {
    if (admission.isOpen) return false;
    const request = readPlainRequest(bytes);
    if (request === undefined) return false;
    const { method, route, operation, requestId } = request;
    const startedAt = performance.now();
    const sendNow = (): void => {
      metrics.requestRejected({ method, route, status: unavailable.status, durationMs: performance.now() - startedAt });
      send(connection, `${heads.get(operation)}X-Request-Id: ${toRequestId(requestId)}\r\n`);
    };
    countRefusal();
    sendLater(connection, sendNow);
    return true;
  };
}

const body = JSON.stringify(unavailable.body);

/** The part of the response that is always the same. */
function headOf(operation: Operation, common: Options["headers"]): string {
  return toHead(unavailable.status, {
    "Content-Type": jsonType,
    "Content-Length": String(Buffer.byteLength(body)),
    ...safeHeaders,
    ...common,
    ...deprecationHeaders(operation),
    ...unavailable.headers,
  });
}

let date = "";
let dateSecond = 0;

function currentDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(second * 1000).toUTCString();
  }
  return date;
}
