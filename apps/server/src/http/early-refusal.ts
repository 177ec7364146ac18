import { STATUS_CODES } from "node:http";
import { pathTemplate, type Operation } from "@petstore/contract";
import { announcementOf, jsonType, safeHeaders, unavailable } from "@petstore/service";
import type { Logger } from "pino";
import type { Metrics } from "../monitoring/metrics.ts";
import type { Admission } from "./admission.ts";
import type { Connection } from "./connection.ts";
import { readPlainRequest } from "./plain-request.ts";
import { toRequestId } from "./request-id.ts";

/**
 * How long a client is kept waiting when the store is busy: those who try again at once would take the time that those who are
 * served need. A turn that is over was such a pause.
 */
const pauseMs = 50;

/** How often to log how many were refused. */
const logMs = 1_000;

interface Options {
  admission: Admission;
  log: Logger;
  metrics: Metrics;
  keepAliveTimeout: number;
}

/**
 * Refuses requests that cannot be served in time before they are parsed. A refusal must cost a small part of what a response
 * does: a service that is asked for three times what it can serve sends two refusals for each response.
 */
export function refuseEarly({ admission, log, metrics, keepAliveTimeout }: Options) {
  const keptAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}\r\n`;
  const held = new Set<() => void>();
  let count = 0;

  function send(connection: Connection, head: string): void {
    const ending = connection.isEnding ? "Connection: close\r\n" : keptAlive;
    connection.sendRefusal(`${head}Date: ${currentDate()}\r\n${ending}\r\n${body}`);
  }

  function sendLater(connection: Connection, head: string): void {
    const sendOnce = (): void => {
      held.delete(sendOnce);
      connection.socket.off("end", sendOnce);
      send(connection, head);
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
    }, logMs).unref();
  }

  /** Whether it has refused what may be a request. */
  return (connection: Connection, bytes: Buffer): boolean => {
    if (admission.isOpen) return false;
    const request = readPlainRequest(bytes);
    if (request === undefined) return false;
    const { method, operation, requestId } = request;
    const { route, lines } = partsOf(operation);
    metrics.requestRefused({ method, route, status: unavailable.status });
    countRefusal();
    const head = `${lines}X-Request-Id: ${toRequestId(requestId)}\r\n`;
    if (admission.isTurnOver) send(connection, head);
    else sendLater(connection, head);
    return true;
  };
}

const body = JSON.stringify(unavailable.body);

interface Parts {
  /** The path template, for the metrics. */
  route: string;
  /** The response up to what differs from one to the next. */
  lines: string;
}

/** Made once for each operation. */
const parts = new Map<Operation, Parts>();

function partsOf(operation: Operation): Parts {
  const known = parts.get(operation);
  if (known !== undefined) return known;
  const headers = {
    "Content-Type": jsonType,
    "Content-Length": Buffer.byteLength(body),
    ...safeHeaders,
    ...announcementOf(operation),
    ...unavailable.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const statusLine = `HTTP/1.1 ${unavailable.status} ${STATUS_CODES[unavailable.status]}\r\n`;
  const made = { route: pathTemplate(operation.path), lines: statusLine + lines.join("") };
  parts.set(operation, made);
  return made;
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
