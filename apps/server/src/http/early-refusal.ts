import { operations, type Operation } from "@petstore/contract";
import { deprecationHeaders, jsonType, safeHeaders, unavailable } from "@petstore/service";
import type { Logger } from "pino";
import type { Metrics } from "../monitoring/metrics.ts";
import { pauseMs, type Admission } from "./admission.ts";
import type { Connection } from "./connection.ts";
import { readPlainRequest } from "./plain-request.ts";
import { toRequestId } from "./request-id.ts";
import { toHead } from "./respond.ts";

/** How often to log how many were refused. */
const logMs = 1_000;

interface Options {
  admission: Admission;
  log: Logger;
  metrics: Metrics;
  keepAliveTimeout: number;
  /** Headers of every response, beside the usual ones. */
  headers: Readonly<Record<string, string>>;
}

/**
 * Refuses requests that cannot be served in time before they are parsed. A refusal must cost a small part of what a response
 * does: a service that is asked for three times what it can serve sends two refusals for each response.
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

  /** Not at once: Node would read what the client sends next in the same turn, which then would not end. */
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
      log.info({ status: unavailable.status, code: unavailable.code, count }, "requests refused");
      count = 0;
    }, logMs);
  }

  /** Whether it has refused what may be a request. */
  return (connection: Connection, bytes: Buffer): boolean => {
    if (admission.isOpen) return false;
    const request = readPlainRequest(bytes);
    if (request === undefined) return false;
    const { method, route, operation, requestId } = request;
    const startedAt = performance.now();
    const sendNow = (): void => {
      metrics.requestRefused({ method, route, status: unavailable.status, durationMs: performance.now() - startedAt });
      send(connection, `${heads.get(operation)}X-Request-Id: ${toRequestId(requestId)}\r\n`);
    };
    countRefusal();
    sendLater(connection, sendNow);
    return true;
  };
}

const body = JSON.stringify(unavailable.body);

/** The response up to what differs from one to the next. */
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
