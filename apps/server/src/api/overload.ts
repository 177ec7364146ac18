import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import { basePath, contract, errorStatuses } from "@petstore/contract";
import type { Logger } from "pino";
import { clientAddressOf } from "../http/client-address.ts";
import { framingProblem } from "../http/framing.ts";
import { closeIfBodyIsUnread } from "../http/respond.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import { errorBody } from "../refusal.ts";
import type { Store } from "../store/store.ts";
import { unavailable } from "./errors.ts";
import { safeHeaders, toRequestId, traceOf } from "./request.ts";

/** Before a refusal: clients that try again at once would otherwise take the time that those who are served need. */
const pauseMs = 50;

/**
 * Refuses what the store would refuse later, ahead of everything else: a refusal must cost much less than an answer, or the service
 * would do nothing but refuse. What would need more headers than these goes on to `listener`, and is refused there.
 */
export function shedLoad(
  listener: RequestListener,
  { store, log, metrics, trustedProxies }: { store: Store; log: Logger; metrics: Metrics; trustedProxies: BlockList },
): RequestListener {
  const text = JSON.stringify(errorBody(unavailable.code, unavailable.message));

  function refuse(req: IncomingMessage, res: ServerResponse): void {
    const startedAt = performance.now();
    metrics.requestStarts();
    const address = clientAddressOf(req, trustedProxies);
    const requestId = toRequestId(req.headers["x-request-id"]);
    res.setHeader("X-Request-Id", requestId); // at once: the body may turn out to be broken during the pause
    setTimeout(() => {
      closeIfBodyIsUnread(res);
      res.writeHead(errorStatuses[unavailable.code], {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": text.length,
        ...safeHeaders,
        ...unavailable.headers,
      });
      res.end(req.method === "HEAD" ? undefined : text);
    }, pauseMs);
    res.once("close", () => {
      const { method = "" } = req;
      const status = res.headersSent ? res.statusCode : undefined;
      const durationMs = performance.now() - startedAt;
      metrics.requestEnds({ method, status, durationMs, errorCode: unavailable.code, storeFailure: "busy" });
      const aborted = res.writableFinished ? undefined : true;
      const line = { requestId, ...traceOf(req), method, status, code: unavailable.code, ...address, aborted };
      log.info(line, "request refused");
    });
  }

  return (req, res) => {
    if (store.isBusy() && isPlain(req)) refuse(req, res);
    else listener(req, res);
  };
}

/** Whether a request asks for an operation whose refusal has no header of its own: of deprecation, or for a page of another origin. */
function isPlain(req: IncomingMessage): boolean {
  const { url = "", method = "", headers } = req;
  if (headers.origin !== undefined || !operations.test(`${method} ${url}`)) return false;
  return framingProblem(req) === undefined; // its connection must close
}

const operations = new RegExp(
  Object.values(contract)
    .filter(({ metadata }) => metadata.deprecation === undefined)
    .map(({ method, path }) => `^${method === "GET" ? "(?:GET|HEAD)" : method} ${basePath}${path}(?:\\?|$)`)
    .join("|"),
);
