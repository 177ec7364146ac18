import { STATUS_CODES, type IncomingMessage } from "node:http";
import { HttpError, jsonType, safeHeaders } from "@petstore/service";
import type { Logger } from "pino";
import type { Connection } from "./connection.ts";
import { connectionOf, type HttpServer } from "./http-server.ts";
import { toRequestId } from "./request-id.ts";
import { headersOf, type PendingResponse } from "./respond.ts";

/** Sends an Error body where Node would send its own response, or none. */
export function respondToProtocolErrors(server: HttpServer, log: Logger): void {
  // the body's reader sends 100
  server.on("checkContinue", (req, res) => server.emit("request", req, res));
  // rejected like any bad framing
  server.on("checkExpectation", (req, res) => server.emit("request", req, res));
  server.on("connect", (req, connection) => {
    // Node no longer listens to this connection.
    connection.on("error", () => connection.destroy());
    connection.on("timeout", () => server.emit("timeout", connection));
    reject(
      connectionOf(connection),
      new HttpError("method_not_allowed", "", { message: "CONNECT is not allowed here." }),
      req,
    );
  });
  server.on("clientError", (error, connection) =>
    reject(connectionOf(connection), protocolError(error)),
  );

  function reject(connection: Connection, error: HttpError, req?: IncomingMessage): void {
    if (!connection.writable) return; // broken, or already closing
    const { response } = connection;
    // what follows the request is invalid
    if (connection.isBusy && response?.req.complete) return connection.closeAfterResponse();
    // If the body of a request is incomplete, this is the response to it, unless it already has
    // one.
    const unfinished = response?.req.complete === false ? response : undefined;
    if (unfinished?.headersSent) return void connection.end();
    const headers = unfinished
      ? headersOf(unfinished)
      : { "X-Request-Id": toRequestId(req?.headers["x-request-id"]), ...safeHeaders };
    const { status, code } = error;
    log.info(
      { requestId: headers["X-Request-Id"], status, code, clientAddress: connection.remoteAddress },
      "request rejected",
    );
    connection.end(toResponse(error, headers));
  }
}

function protocolError({ code }: NodeJS.ErrnoException): HttpError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new HttpError("request_timeout");
  return code === "HPE_HEADER_OVERFLOW"
    ? new HttpError("headers_too_large")
    : new HttpError("invalid_request", "The request is not valid HTTP");
}

/** A response as text. */
function toResponse(
  { status, headers, body }: HttpError,
  common: PendingResponse["pending"],
): string {
  const text = JSON.stringify(body);
  const length = { "Content-Type": jsonType, "Content-Length": String(Buffer.byteLength(text)) };
  const rest = { ...headers, Date: new Date().toUTCString(), Connection: "close" };
  const lines = Object.entries({ ...length, ...common, ...rest }).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}\r\n`),
  );
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${text}`;
}
