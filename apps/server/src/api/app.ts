import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { parse as parseQuery } from "node:querystring";
import { basePath, responseHeaderNames } from "@petstore/contract";
import { requestHeaderNames } from "@petstore/contract/contract";
import { allowOf, apiMethods, HttpError } from "@petstore/service";
import cors from "cors";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { FramedRequest } from "../http/framing.ts";
import { respondToMethods, sendJson } from "../http/respond.ts";
import { rejectEarly } from "./early-rejection.ts";
import { createEndpoints, type EndpointOptions } from "./endpoints.ts";
import { createErrorHandlers } from "./error-handlers.ts";
import { stateOf, TrackedResponse, trackRequests, type Tracking } from "./request.ts";
import { mountWebPages, type WebPagesOptions } from "./web-pages.ts";

export interface AppOptions extends EndpointOptions, Tracking, WebPagesOptions {
  /** Browser origins that may call the service. CORS is off if there are none. */
  corsOrigins: readonly string[];
}

/** Handles a request, from top to bottom. */
export function createApp(options: AppOptions) {
  const { log, corsOrigins, store } = options;
  const track = trackRequests(options);
  const allowOrigins =
    corsOrigins.length > 0 ? cors({ ...corsHeaders, origin: [...corsOrigins] }) : undefined;
  const errorHandlers = createErrorHandlers(log);
  const { handleError } = errorHandlers;
  const rejection = rejectEarly(() => store.isBusy(), handleError);
  const endpoints = createEndpoints(options, rejection, errorHandlers);
  const app = createExpress();
  app.use(rejection);
  mountWebPages(app, options);
  app.use(respondToUnknownRoute);
  const handleRoutedError: ErrorRequestHandler = (error, _req, res, _next) =>
    handleError(res, error);
  app.use(handleRoutedError);

  const route: RequestListener = (req, res) => {
    const { url = "" } = req;
    if (url.startsWith(`${basePath}/`)) {
      // Called directly: the app would do more work for each request.
      req.url = url.slice(basePath.length);
      endpoints(req as Request, res as Response, (error) => {
        req.url = url;
        if (error) handleError(res, error);
        else app(req, res);
      });
    } else app(req, res);
  };
  return {
    serve(req: IncomingMessage, res: ServerResponse): void {
      track(req, res);
      if (allowOrigins) allowOrigins(req, res, () => route(req, res));
      else route(req, res);
    },
    ...messagesOf(app),
  };
}

/** Switches off features of Express for web pages, which a JSON API does not need. */
function createExpress(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.enable("strict routing");
  // By default, Express ignores all parameters after the first 1000.
  app.set("query parser", (query: string) => parseQuery(query, "&", "=", { maxKeys: 0 }));
  app.response.json = sendBody;
  return app;
}

/** Called by ts-rest to send a body. */
function sendBody(this: Response, body: unknown): Response {
  sendJson(this, body);
  return this;
}

/** Rejects unknown routes, and responds to `OPTIONS *`, which asks about the whole server. */
const respondToUnknownRoute: RequestHandler = (req, res) => {
  if (req.url !== "*" || req.method !== "OPTIONS") throw new HttpError("route_not_found");
  stateOf(res).route = "*";
  respondToMethods(res, allowOf(apiMethods));
};

/**
 * The classes of requests and responses, with the prototypes that Express would assign to each
 * object. Objects whose prototype changes after their creation are slow.
 */
function messagesOf(app: Express) {
  class AppRequest extends FramedRequest {}
  class AppResponse<Served extends IncomingMessage> extends TrackedResponse<Served> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as typeof app.request;
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as typeof app.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

const corsHeaders = {
  methods: [...apiMethods],
  allowedHeaders: ["Authorization", "Content-Type", ...requestHeaderNames, "X-Request-Id"],
  exposedHeaders: responseHeaderNames,
  maxAge: 600,
  preflightContinue: true, // OPTIONS has its own response
};
