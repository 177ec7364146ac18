import { createHash, createHmac, createSecretKey } from "node:crypto";
import { contract, openApiText, operations, type Pet, type OperationName } from "@petstore/contract";
import {
  createOperations,
  JsonText,
  routes,
  type Call,
  type Operations,
  type Store,
  type Success,
} from "@petstore/service";
import { createExpressEndpoints } from "@ts-rest/express";
import express, { type Request, type Router } from "express";
import { sendJson } from "../http/respond.ts";
import { admit, type AdmissionOptions } from "./admit.ts";
import { respondToMethods } from "./methods.ts";
import { withinStoreTime } from "./store-time.ts";

/** Every path below the base path: the operations of the contract, and its document. */
export function createEndpoints(options: AdmissionOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const { store, now } = options;
  const service = createOperations(store, { now, sign: signWith(store), digest: sha256 });
  // Each is checked as one of `Operations`; the types of ts-rest do not see that by name.
  createExpressEndpoints<typeof contract>(contract, handlersOf(service) as never, router, {
    globalMiddleware: [admit(options)],
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  });
  for (const { path, allow } of routes) router.all(path, respondToMethods(path, allow));

  const document = new JsonText(openApiText());
  router.get("/openapi.json", (req, res) => {
    req.state.route = "/v1/openapi.json";
    sendJson(res, document);
  });
  router.all("/openapi.json", respondToMethods("/v1/openapi.json", "GET, HEAD, OPTIONS"));
  return router;
}

type Handler = (request: Omit<Call<OperationName>, "caller"> & { req: Request }) => Promise<Success<OperationName>>;

/** A ts-rest handler for each operation of the service. */
function handlersOf(service: Operations): Record<OperationName, Handler> {
  const toHandler = (name: OperationName): Handler => {
    const operation = service[name] as (call: Call<OperationName>) => Promise<Success<OperationName>>;
    return async ({ params, query, headers, body, req }) => {
      const { state } = req;
      const call = { params, query, headers, body, caller: state.caller } as Call<OperationName>;
      const success = await withinStoreTime(state, operation(call));
      if (name === "createPet") state.petId = (success.body as Pet).id;
      // Beside what there is: the end of a deprecated operation has a Link, too.
      for (const [header, value] of Object.entries(success.headers ?? {})) req.res?.appendHeader(header, value);
      return success;
    };
  };
  const names = Object.keys(operations) as OperationName[];
  return Object.fromEntries(names.map((name) => [name, toHandler(name)])) as Record<OperationName, Handler>;
}

/** HMAC with the secret of the store, so that every process that shares the database reads the cursors of the others. */
function signWith({ cursorSecret }: Store): (bytes: Uint8Array) => Uint8Array {
  const key = createSecretKey(cursorSecret); // once: it costs four times as much as a signature
  return (bytes) => createHmac("sha256", key).update(bytes).digest();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
