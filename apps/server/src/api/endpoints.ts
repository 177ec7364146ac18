import { createHmac, createSecretKey, hash } from "node:crypto";
import { contract, openApiText, type Pet, type OperationName, type RequestOf } from "@petstore/contract";
import {
  andThen,
  createOperations,
  jsonType,
  routes,
  type Call,
  type MaybePromise,
  type Operations,
  type Store,
  type Success,
} from "@petstore/service";
import { createExpressEndpoints } from "@ts-rest/express";
import express, { type RequestHandler, type Router } from "express";
import { addHeader } from "../http/respond.ts";
import { encodingsOf, sendEncoded } from "../pages/assets.ts";
import { admit, type AdmitOptions } from "./admit.ts";
import type { Refuse } from "./errors.ts";
import { respondToMethods } from "./methods.ts";
import type { RequestState } from "./request.ts";
import { withinStoreTime } from "./store-time.ts";

/** Every path below the base path: the operations of the contract, and the OpenAPI document. */
export function createEndpoints(options: AdmitOptions, refuse: Refuse): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const { store, now } = options;
  const service = createOperations(store, { now, sign: signWith(store), digest: sha256 });
  createExpressEndpoints<typeof contract>(contract, handlersOf(service), router, {
    globalMiddleware: [admit(options, refuse)],
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  });
  for (const { path, allow } of routes) router.all(path, respondToMethods(path, allow));

  router.get("/openapi.json", sendOpenApi);
  router.all("/openapi.json", respondToMethods("/v1/openapi.json", "GET, HEAD, OPTIONS"));
  return router;
}

/** Built and compressed at the first request. */
const openApi = encodingsOf(async () => Buffer.from(openApiText()));

const sendOpenApi: RequestHandler = (req, res) => {
  req.state.route = "/v1/openapi.json";
  return sendEncoded(req, res, jsonType, openApi);
};

/** A request routed by Express. */
interface Routed {
  req: { state: RequestState };
}

/** A handler for each operation, with the parts of the request that the operation has. Called by ts-rest. */
type Handlers = {
  [Name in OperationName]: (request: RequestOf<Name> & Routed) => Promise<Success<Name>>;
};

function handlersOf(service: Operations): Handlers {
  const toHandler = (name: OperationName) => {
    const operation = service[name] as (call: Call<OperationName>) => MaybePromise<Success<OperationName>>;
    const finish = (state: RequestState, success: Success<OperationName>) => {
      if (name === "createPet") state.petId = (success.body as Pet).id;
      // Added to existing headers: a deprecated operation already has a Link.
      for (const [header, value] of Object.entries(success.headers ?? {})) addHeader(state.headers, header, value);
      return success;
    };
    return ({ req: { state }, ...parts }: Call<OperationName> & Routed) => {
      const call = { ...parts, caller: state.caller };
      return andThen(withinStoreTime(state, operation(call)), (success) => finish(state, success));
    };
  };
  const names = Object.keys(contract) as OperationName[];
  // Types cannot follow handlers built by name. Both ends are checked: `Operations` and ts-rest.
  return Object.fromEntries(names.map((name) => [name, toHandler(name)])) as unknown as Handlers;
}

/** HMAC with the store's secret, so that processes that share the database can read each other's cursors. */
function signWith({ cursorSecret }: Store): (bytes: Uint8Array) => Uint8Array {
  const key = createSecretKey(cursorSecret); // created once: it costs four times as much as a signature
  return (bytes) => createHmac("sha256", key).update(bytes).digest();
}

function sha256(text: string): string {
  return hash("sha256", text, "base64url");
}
