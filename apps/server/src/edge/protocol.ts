import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { errorStatuses, type ErrorCode } from "@petstore/contract";
import type { Logger } from "pino";
import { errorBody } from "./errors.ts";
import { maxTargetBytes } from "./framing.ts";
import { safeHeaders, toRequestId } from "./request.ts";

/** What Node's HTTP server reports before there is a request. */
interface ProtocolError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

/** Gives the Error body to what Node would answer by itself, or not at all (D13). */
export function answerProtocolErrors(server: Server, log: Logger): void {
  /** The answer under way on each connection. */
  const underWay = new WeakMap<object, ServerResponse>();

  function track({ socket }: IncomingMessage, res: ServerResponse): void {
    underWay.set(socket, res);
  }

  server.prependListener("request", track);
  server.on("checkContinue", (req, res) => server.emit("request", req, res)); // the body's reader says when to continue
  server.on("checkExpectation", (req, res) => server.emit("request", req, res)); // refused like any bad framing
  server.on("connect", (_req, socket) => {
    refuse(socket as Socket, "method_not_allowed", "CONNECT is not allowed here.", log, { Allow: "" });
  });
  server.on("clientError", (error: ProtocolError, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const res = underWay.get(socket);
    const isIdle = res === undefined || res.writableFinished;
    if (isIdle || (!res.headersSent && !res.req.complete)) refuseProtocol();
    // The error belongs to the request behind the one being answered, so it waits for its turn.
    else res.once("finish", refuseProtocol);

    function refuseProtocol(): void {
      refuse(socket as Socket, ...describe(error), log);
    }
  });
}

function describe({ code, rawPacket }: ProtocolError): [ErrorCode, string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return ["request_timeout", "The request did not arrive in time."];
  if (code !== "HPE_HEADER_OVERFLOW") return ["invalid_request", "The request is not valid HTTP."];
  // Node counts the target as a part of the headers.
  const target = /^[A-Z]+ ([^ \r\n]*)/.exec(rawPacket?.toString("latin1") ?? "")?.[1] ?? "";
  return target.length > maxTargetBytes
    ? ["uri_too_long", `The request target must be at most ${maxTargetBytes} bytes long.`]
    : ["headers_too_large", "The request headers are too large."];
}

function refuse(
  socket: Socket,
  code: ErrorCode,
  message: string,
  log: Logger,
  extraHeaders: Record<string, string> = {},
): void {
  const requestId = toRequestId(undefined);
  const status = errorStatuses[code];
  const body = JSON.stringify(errorBody(code, message));
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": requestId,
    ...safeHeaders,
    ...extraHeaders,
    Date: new Date().toUTCString(),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"), () => socket.destroy());
  log.info({ requestId, status, code }, "request refused");
}
