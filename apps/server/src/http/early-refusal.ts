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
 * The least time between reading a request and refusing it: clients that try again at once would take the time that those who are
 * served need.
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
  let held: [connection: Connection, head: string][] = [];
  let count = 0;

  function send(connection: Connection, head: string): void {
    const ending = connection.isEnding ? "Connection: close\r\n" : keptAlive;
    connection.sendRefusal(`${head}Date: ${currentDate()}\r\n${ending}\r\n${body}`);
  }

  function sendHeld(): void {
    const due = held;
    held = [];
    for (const [connection, head] of due) send(connection, head);
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
    metrics.requestRefused({ method, route: pathTemplate(operation.path), status: unavailable.status });
    countRefusal();
    const head = `${headOf(operation)}X-Request-Id: ${toRequestId(requestId)}\r\n`;
    const waitMs = pauseMs - admission.turnMs; // a turn that has taken long was a pause
    if (waitMs <= 0) send(connection, head);
    else {
      connection.holdRefusal();
      if (held.length === 0) setTimeout(sendHeld, waitMs);
      held.push([connection, head]);
    }
    return true;
  };
}

const body = JSON.stringify(unavailable.body);

/** Made once for each operation. */
const heads = new Map<Operation, string>();

function headOf(operation: Operation): string {
  const known = heads.get(operation);
  if (known !== undefined) return known;
  const headers = {
    "Content-Type": jsonType,
    "Content-Length": Buffer.byteLength(body),
    ...safeHeaders,
    ...Object.fromEntries(announcementOf(operation)),
    ...unavailable.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${unavailable.status} ${STATUS_CODES[unavailable.status]}\r\n${lines.join("")}`;
  heads.set(operation, head);
  return head;
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
