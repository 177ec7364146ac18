import type { RequestHandler } from "express";
import { hashSecret, isKeyForm, keyState } from "../keys/key.ts";
import { Refusal } from "../refusal.ts";
import type { ApiKey, Store } from "../store/store.ts";
import { countHeader, metadataOf } from "./request.ts";
import { withinStoreTime } from "./store-time.ts";

const challenge = 'Bearer realm="petstore"';

/** Lets a request through when its API key is good and has the scope of the operation. Reads nothing else of it (D12). */
export function authenticate(store: Store, now: () => number): RequestHandler {
  return async (req, res, next) => {
    const { authorization } = req.headers;
    if (authorization === undefined) {
      throw new Refusal("missing_api_key", "Send an API key: Authorization: Bearer <API key>.", {
        "WWW-Authenticate": challenge,
      });
    }
    const key =
      countHeader(req.rawHeaders, "authorization") === 1
        ? await withinStoreTime(res, findKey(store, authorization))
        : undefined;
    if (key === undefined || keyState(key, now()) !== "active") throw invalidKey();
    res.locals.apiKey = key;
    const { scope } = metadataOf(req);
    if (!key.scopes.includes(scope)) {
      throw new Refusal("insufficient_scope", `The API key lacks the scope "${scope}", which this operation needs.`, {
        "WWW-Authenticate": `${challenge}, error="insufficient_scope", scope="${scope}"`,
      });
    }
    next();
  };
}

async function findKey(store: Store, authorization: string): Promise<ApiKey | undefined> {
  const secret = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  return secret !== undefined && isKeyForm(secret) ? await store.findKey(hashSecret(secret)) : undefined;
}

/** The same for every cause, so that nobody learns which keys exist. */
function invalidKey(): Refusal {
  return new Refusal("invalid_api_key", "The API key is not valid.", {
    "WWW-Authenticate": `${challenge}, error="invalid_token"`,
  });
}
