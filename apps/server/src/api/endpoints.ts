import { createHmac, createSecretKey, hash } from "node:crypto";
import { contract, type Operation, type OperationName, type Pet, type RequestOf } from "@petstore/contract";
import {
  andThen,
  createOperations,
  deprecationHeaders,
  routes,
  type Call,
  type MaybePromise,
  type Operations,
  type Store,
  type Success,
} from "@petstore/service";
import { createExpressEndpoints, type TsRestRequestHandler } from "@ts-rest/express";
import express, { type Response, type Router } from "express";
import { appendHeader, headersOf, respondToMethods } from "../http/respond.ts";
import { admit, type AdmitOptions } from "./admit.ts";
import type { ErrorHandler } from "./errors.ts";
import type { Gate } from "./gate.ts";
import { stateOf } from "./request.ts";
import { withinStoreTime } from "./store-time.ts";

/** The operations of the contract. Each request passes `announce`, the gate and `admit`, and then ts-rest validates it. */
export function createEndpoints(options: AdmitOptions, gate: Gate, handleError: ErrorHandler): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const { store, now } = options;
  const service = createOperations(store, { now, sign: signWith(store), digest: sha256 });
  createExpressEndpoints<typeof contract>(contract, handlersOf(service), router, {
    globalMiddleware: [announce, gate, admit(options, handleError)],
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  });
  for (const { path, template, allow } of routes) {
    const nameRoute: Gate = (_req, res, next) => {
      stateOf(res).route = template;
      next();
    };
    router.all(path, nameRoute, gate, (_req, res) => respondToMethods(res, allow));
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

/** A handler for each operation, with the parts of the request that the operation has. Called by ts-rest. */
type Handlers = {
  [Name in OperationName]: (request: RequestOf<Name> & Routed) => Promise<Success<Name>>;
};

/** A request routed by Express. */
interface Routed {
  req: unknown;
  res: Response;
}

function handlersOf(service: Operations): Handlers {
  const toHandler = (name: OperationName) => {
    const operation = service[name] as (call: Call<OperationName>) => MaybePromise<Success<OperationName>>;
    return ({ req: _req, res, ...parts }: Call<OperationName> & Routed) => {
      const state = stateOf(res);
      const call = { ...parts, caller: state.caller };
      return andThen(withinStoreTime(state, operation(call)), (success) => {
        if (name === "createPet" || name === "updatePet") state.petId = (success.body as Pet).id;
        const isReplayed = "Idempotent-Replayed" in (success.headers ?? {});
        if (name === "updatePet" && !isReplayed) state.changedFields = Object.keys((call as Call<"updatePet">).body);
        // Appended: a deprecated operation already has a Link.
        for (const [header, value] of Object.entries(success.headers ?? {})) appendHeader(res, header, value);
        return success;
      });
    };
  };
  const names = Object.keys(contract) as OperationName[];
  // TypeScript cannot check handlers that are built by name. `Operations` and ts-rest check both ends.
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
