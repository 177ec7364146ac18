import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { jsonType, Refusal, safeHeaders } from "@petstore/service";
import type { Logger } from "pino";
import { peerOf } from "./client-address.ts";
import { connectionOf, type Connection } from "./connection.ts";
import { hasBody } from "./framing.ts";
import { toRequestId } from "./request-id.ts";
import { toHead, type ResponseHeaders } from "./respond.ts";

/**
 * Sends an Error body where Node would send its own response, or none. Returns a function that rejects a connection that does not
 * speak HTTP/1.
 */
export function respondToProtocolErrors(server: Server, log: Logger): (connection: Connection) => void {
  server.on("checkContinue", (req, res) => {
    // The body's reader sends 100. If there is no body, Node would close the connection of a client that did not get 100.
    if (!hasBody(req)) res.writeContinue();
    server.emit("request", req, res);
  });
  server.on("checkExpectation", (req, res) => server.emit("request", req, res)); // rejected like any bad framing
  server.on("connect", (req, stream) => {
    const socket = stream as Socket;
    socket.on("error", () => socket.destroy()); // Node has stopped listening
    const refusal = new Refusal("method_not_allowed", "", { message: "CONNECT is not allowed here." });
    refuse(connectionOf(socket), refusal, req);
  });
  server.on("clientError", (error, stream) => refuse(connectionOf(stream as Socket), toRefusal(error)));

  function refuse(connection: Connection | undefined, refusal: Refusal, req?: IncomingMessage): void {
    if (connection?.socket.writable !== true) return; // broken, or already closing
    // A request whose body did not arrive completely. This becomes its response, unless it already has one.
    const unfinished = connection.isReadingBody ? connection.response : undefined;
    if (unfinished?.headersSent !== true) {
      const requestId = unfinished?.req.state.id ?? toRequestId(req?.headers["x-request-id"]);
      const commonHeaders = unfinished?.req.state.headers ?? { "X-Request-Id": requestId, ...safeHeaders };
      connection.socket.write(toResponse(refusal, commonHeaders));
      const { status, code } = refusal;
      log.info({ requestId, status, code, clientAddress: peerOf(connection.socket) }, "request rejected");
    }
    connection.close();
  }

  return (connection) =>
    refuse(connection, new Refusal("invalid_request", "The protocol must be HTTP/1.1 or HTTP/1.0"));
}

function toRefusal({ code }: NodeJS.ErrnoException): Refusal {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Refusal("request_timeout");
  return code === "HPE_HEADER_OVERFLOW"
    ? new Refusal("headers_too_large")
    : new Refusal("invalid_request", "The request is not valid HTTP");
}

function toResponse({ status, headers, body }: Refusal, commonHeaders: ResponseHeaders): string {
  const text = JSON.stringify(body);
  const head = toHead(status, {
    "Content-Type": jsonType,
    "Content-Length": String(Buffer.byteLength(text)),
    ...commonHeaders,
    ...headers,
    Date: new Date().toUTCString(),
    Connection: "close",
  });
  return `${head}\r\n${text}`;
}
