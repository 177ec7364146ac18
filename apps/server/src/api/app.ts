import { IncomingMessage, ServerResponse, type RequestListener } from "node:http";
import { parse as parseQuery } from "node:querystring";
import { basePath, requestHeaderNames, responseHeaderNames } from "@petstore/contract";
import { jsonType, routes, unavailable } from "@petstore/service";
import cors from "cors";
import express, { type ErrorRequestHandler, type Express, type Request, type Response, type Router } from "express";
import { mountBoardFiles } from "../board/board.ts";
import { pauseMs, type Admission } from "../http/admission.ts";
import { sendContent, sendJson } from "../http/respond.ts";
import { mountReference } from "../reference/reference.ts";
import type { AdmitOptions } from "./admit.ts";
import { createEndpoints } from "./endpoints.ts";
import { refuseWith, type Refuse } from "./errors.ts";
import { respondToUnknownRoute } from "./methods.ts";
import { trackRequests, type Tracking } from "./request.ts";
import { mountRoot } from "./root.ts";

export interface AppOptions extends AdmitOptions, Tracking {
  /** Browser origins that may call the service. CORS is off if there are none. */
  corsOrigins: readonly string[];
  /** Whether browsers get the board at `/`. Otherwise they are redirected to the reference page. */
  hasBoard: boolean;
  /** Decides which requests to reject under overload. */
  admission: Admission;
}

/** Handles a request, from top to bottom. */
export function createApp(options: AppOptions) {
  const { log, corsOrigins, hasBoard, admission } = options;
  const track = trackRequests(options);
  const allowOrigins = corsOrigins.length > 0 ? cors({ ...corsHeaders, origin: [...corsOrigins] }) : undefined;
  const refuse = refuseWith(log);
  const endpoints = createEndpoints(options, refuse);
  const router = createRouter(endpoints, refuse, hasBoard);

  const refuseLater: RequestListener = (req, res) => {
    Object.assign(req.state, { errorCode: "unavailable", storeFailure: "busy" }); // counted even if the client leaves
    if (held.push(res) === 1) setTimeout(refuseHeld, pauseMs).unref();
  };
  /** One timer for all: under overload, a timer for each would cost too much. */
  let held: ServerResponse[] = [];
  function refuseHeld(): void {
    const all = held;
    held = [];
    for (const res of all) {
      Object.assign(res.req.state.headers, unavailable.headers);
      res.statusCode = unavailable.status;
      sendContent(res, jsonType, unavailableBody);
    }
  }
  const receive: RequestListener = (req, res) => {
    if (req.framing.problem) refuse(req, res, req.framing.problem);
    // A rejection must be much cheaper than a response, or the server would do nothing but reject.
    else if (!admission.take(req.state.operation !== undefined)) refuseLater(req, res);
    else if (req.state.operation) serveOperation(req, res);
    else router(req, res);
  };
  /** A shortcut past the router, which would try one path after another to find the operation again. */
  const serveOperation: RequestListener = (req, res) => {
    req.url = req.url?.slice(basePath.length);
    endpoints(req as Request, res as Response, (error) => refuse(req, res, error));
  };
  return {
    serve(req: IncomingMessage, res: ServerResponse): void {
      track(req, res);
      if (allowOrigins) allowOrigins(req, res, () => receive(req, res));
      else receive(req, res);
    },
    ...messagesOf(router),
  };
}

/**
 * The classes of requests and responses, with the prototypes that Express would assign to each object. Objects whose prototype
 * changes after their creation are slow.
 */
function messagesOf(router: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Served extends IncomingMessage> extends ServerResponse<Served> {}
  router.request = Object.setPrototypeOf(AppRequest.prototype, router.request) as typeof router.request;
  router.response = Object.setPrototypeOf(AppResponse.prototype, router.response) as typeof router.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

const unavailableBody = JSON.stringify(unavailable.body);

/** Switches off features of Express for web pages, which a JSON API does not need. */
function createRouter(endpoints: Router, refuse: Refuse, hasBoard: boolean): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.enable("strict routing");
  // Without the default limit of 1000 parameters: later ones would be ignored.
  app.set("query parser", (query: string) => parseQuery(query, "&", "=", { maxKeys: 0 }));
  app.response.json = sendBody;

  app.use(basePath, endpoints);
  mountRoot(app, hasBoard);
  if (hasBoard) mountBoardFiles(app);
  mountReference(app);
  app.use(respondToUnknownRoute);
  const refuseRouted: ErrorRequestHandler = (error, req, res, _next) => refuse(req, res, error);
  app.use(refuseRouted);
  return app;
}

/** Called by ts-rest to send a body. */
function sendBody(this: Response, body: unknown): Response {
  sendJson(this, body);
  return this;
}

const corsHeaders = {
  methods: [...new Set(routes.flatMap((route) => Object.keys(route.operations)))],
  allowedHeaders: ["Authorization", "Content-Type", ...requestHeaderNames, "X-Request-Id"],
  exposedHeaders: responseHeaderNames,
  maxAge: 600,
  preflightContinue: true, // OPTIONS has its own response
};
