import { hash } from "node:crypto";
import {
  contract,
  parseInt64,
  type BatchResult,
  type Operation,
  type OperationName,
  type Pet,
} from "@petstore/contract";
import {
  createOperations,
  deprecationHeaders,
  routes,
  type MaybePromise,
  type Origin,
  type Store,
  type Success,
} from "@petstore/service";
import { createExpressEndpoints, type TsRestRequestHandler } from "@ts-rest/express";
import express, { type Response, type Router } from "express";
import { appendHeader, headersOf, respondToMethods, setPendingHeaders } from "../http/respond.ts";
import { authorizeRequest, type AuthorizationOptions } from "./authorize-request.ts";
import type { Handler } from "./early-rejection.ts";
import type { ErrorHandlers } from "./error-handlers.ts";
import { stateOf, type RequestState } from "./request.ts";
import { withinStoreTime } from "./store-time.ts";

export interface EndpointOptions extends AuthorizationOptions {
  /**
   * The address at which clients reach the service, as the operator has set it: links to the next
   * page begin with it.
   */
  publicUrl: string | undefined;
}

/**
 * The operations of the contract. Each request passes `announce`, `rejectEarly` and
 * `authorizeRequest`, and then ts-rest validates it.
 */
export function createEndpoints(
  options: EndpointOptions,
  rejection: Handler,
  errorHandlers: ErrorHandlers,
): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const { store, now, publicUrl } = options;
  const { handleError, reportBug } = errorHandlers;
  const service = createOperations(store, {
    now,
    sign: signWith(store),
    publicUrl,
    digest: sha256,
    reportBug,
  });
  createExpressEndpoints(
    contract,
    {
      listPets: endpoint(service.listPets),
      createPet: endpoint(service.createPet),
      createPets: endpoint(service.createPets),
      getPet: endpoint(service.getPet),
      updatePet: endpoint(service.updatePet),
      deletePet: endpoint(service.deletePet),
      listOrders: endpoint(service.listOrders),
    },
    router,
    {
      globalMiddleware: [announce, rejection, authorizeRequest(options, handleError)],
      requestValidationErrorHandler: (error, _req, _res, next) => next(error),
    },
  );
  for (const { path, template, allow } of routes) {
    const nameRoute: Handler = (_req, res, next) => {
      stateOf(res).route = template;
      next();
    };
    router.all(path, nameRoute, rejection, (_req, res) => respondToMethods(res, allow));
  }
  return router;
}

/** The path of each operation, as logs and metrics show it. */
const templates = new Map(routes.map(({ path, template }) => [path, template]));

/** Records the operation. If it is deprecated, every response says so, including errors. */
const announce: TsRestRequestHandler<typeof contract> = (req, res, next) => {
  const state = stateOf(res);
  const operation: Operation = req.tsRestRoute;
  state.operation = operation;
  state.route = templates.get(operation.path);
  Object.assign(headersOf(res), deprecationHeaders(operation));
  next();
};

/** A request routed by Express. */
interface Routed {
  req: unknown;
  res: Response;
}

/**
 * An operation of the service as ts-rest calls it: with the parts of the request that the operation
 * has.
 */
function endpoint<Parts extends object, Answer extends Success<OperationName>>(
  operation: (call: Parts & Origin) => MaybePromise<Answer>,
): (request: Parts & Routed) => Promise<Answer> {
  return async (request) => {
    const { res } = request;
    const state = stateOf(res);
    const success = await withinStoreTime(
      state,
      operation({ ...request, caller: state.caller, requestId: state.id }),
    );
    noteChange(state, request, success);
    // Appended: a deprecated operation already has a Link.
    for (const [header, value] of Object.entries(success.headers ?? {}))
      appendHeader(res, header, value);
    if (success.body === undefined) setPendingHeaders(res); // ts-rest ends it
    return success;
  };
}

/**
 * Records which animal an operation added, changed or removed, and which fields it changed, for the
 * log.
 */
function noteChange(
  state: RequestState,
  request: object,
  { body, headers }: Success<OperationName>,
): void {
  const { method, metadata } = state.operation ?? {};
  if (method === "GET" || metadata?.tag !== "pets") return;
  if (metadata.items !== undefined) {
    state.petIds = (body as BatchResult[]).flatMap(({ pet }) => (pet ? [pet.id] : []));
    return;
  }
  const { params: { petId } = {}, body: changes } = request as {
    params?: { petId?: string };
    body?: object;
  };
  state.petId = petId === undefined ? (body as Pet).id : parseInt64(petId);
  const isReplayed = "Idempotent-Replayed" in (headers ?? {});
  if (petId !== undefined && changes && !isReplayed) state.changedFields = Object.keys(changes);
}

/**
 * Signs with the store's secret, so that processes that share the database can read each other's
 * cursors. SHA-512/256 (FIPS 180-4) needs no HMAC: who knows a signature cannot extend what it
 * signs.
 */
function signWith({ cursorSecret }: Store): (text: string) => string {
  const secret = Buffer.from(cursorSecret).toString("base64url");
  return (text) => hash("sha512-256", secret + text, "base64url");
}

function sha256(text: string): string {
  return hash("sha256", text, "base64url");
}
