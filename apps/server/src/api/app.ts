import type { RequestListener } from "node:http";
import type { BlockList } from "node:net";
import { parse as parseQuery } from "node:querystring";
import { answerHeaderNames, basePath, contract, openApiText } from "@petstore/contract";
import { createExpressEndpoints, initServer } from "@ts-rest/express";
import cors from "cors";
import express, { type Express, type Response, type Router } from "express";
import type { Logger } from "pino";
import { checkFraming } from "../http/framing.ts";
import { writeJson } from "../http/respond.ts";
import { jsonText } from "../json-text.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import { mountReference } from "../reference/reference.ts";
import { createCursors } from "../routes/cursor.ts";
import { listOrders } from "../routes/orders.ts";
import { createPet, getPet, listPets } from "../routes/pets.ts";
import type { RateLimit, Store } from "../store/store.ts";
import { authenticate, checkScope } from "./authenticate.ts";
import { readBody } from "./body.ts";
import { announceDeprecation, enforceSunset } from "./deprecation.ts";
import { answerErrors } from "./errors.ts";
import { answerMethods, answerUnknownRoute, mountMethods } from "./methods.ts";
import { shedLoad } from "./overload.ts";
import { limitRate } from "./rate-limit.ts";
import { separateRepeatedKeys, trackRequests } from "./request.ts";
import { withinStoreTime } from "./store-time.ts";

export interface AppOptions {
  store: Store;
  log: Logger;
  metrics: Metrics;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Browser origins that may call the service; none switches CORS off. */
  corsOrigins: readonly string[];
  /** Of each API key; none when absent. */
  rateLimit: RateLimit | undefined;
  /** Whose `X-Forwarded-For` is believed. */
  trustedProxies: BlockList;
}

/** The service as an Express application: what happens to a request, from top to bottom. */
export function createApp(options: AppOptions): RequestListener {
  const { store, log, metrics, now, corsOrigins, rateLimit, trustedProxies } = options;
  const app = express();
  configure(app);

  app.use(trackRequests(log, metrics, trustedProxies));
  if (corsOrigins.length > 0) app.use(cors({ ...corsHeaders, origin: [...corsOrigins] }));

  const operations = express.Router({ caseSensitive: true, strict: true });
  createExpressEndpoints(contract, handlers(store, now), operations, {
    globalMiddleware: [
      announceDeprecation,
      checkFraming,
      authenticate(store, now),
      ...(rateLimit === undefined ? [] : [limitRate(store.createRateLimiter(rateLimit))]),
      checkScope,
      enforceSunset(now),
      separateRepeatedKeys,
      readBody,
    ],
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  });
  operations.use(checkFraming);
  mountMethods(operations, contract);
  mountDocument(operations);
  app.use(basePath, operations);

  app.use(checkFraming);
  mountReference(app);
  app.use(answerUnknownRoute);
  app.use(answerErrors(log));
  return shedLoad(app, { store, log, metrics, trustedProxies });
}

/** Serves the OpenAPI document, to anybody (D18). */
function mountDocument(router: Router): void {
  const path = "/openapi.json";
  const document = jsonText(openApiText());
  router.get(path, (_req, res) => {
    res.locals.route = basePath + path;
    res.json(document);
  });
  router.all(path, answerMethods(basePath + path, ["GET", "HEAD"]));
}

function handlers(store: Store, now: () => number) {
  const cursors = createCursors(store.cursorSecret);
  return initServer().router(contract, {
    listPets: ({ query, res }) => answer(res, listPets(store, cursors, query)),
    createPet: async ({ body, headers, res }) => {
      const { apiKey } = res.locals;
      if (apiKey === undefined) throw new Error("createPet ran before authentication");
      const idempotencyKey = headers["idempotency-key"];
      const created = await answer(res, createPet(store, { pet: body, idempotencyKey, apiKey, now: now() }));
      res.locals.petId = created.body.id;
      return created;
    },
    getPet: ({ params, res }) => withinStoreTime(res, getPet(store, params.petId)),
    listOrders: ({ query, res }) => answer(res, listOrders(store, cursors, query)),
  });
}

/** ts-rest sends status and body; the headers of an answer are ours to send. */
async function answer<Answer extends { headers: Record<string, string> }>(res: Response, pending: Promise<Answer>) {
  const { headers, ...result } = await withinStoreTime(res, pending);
  res.set(headers);
  return result;
}

/** Express does much for a page that an interface with one media type has no use for. */
function configure(app: Express): void {
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.enable("strict routing");
  // Without the limit of 1000, behind which further parameters would be ignored.
  app.set("query parser", (query: string) => parseQuery(query, "&", "=", { maxKeys: 0 }));
  app.response.json = json;
}

function json(this: Response, body: unknown): Response {
  return writeJson(this, body);
}

const corsHeaders = {
  methods: ["GET", "HEAD", "POST"],
  allowedHeaders: ["Authorization", "Content-Type", "Idempotency-Key", "X-Request-Id"],
  exposedHeaders: answerHeaderNames,
  maxAge: 600,
  preflightContinue: true, // OPTIONS has an answer of its own
};
