import { setTimeout as sleep } from "node:timers/promises";
import type { RequestHandler } from "express";
import { hashSecret, isKeyForm, keyState } from "../api-key.ts";
import { Refusal } from "../refusal.ts";
import type { Store } from "../store/store.ts";
import { countHeader, metadataOf } from "./request.ts";
import { withinStoreTime } from "./store-time.ts";

/** The whole token that credentials begin with (RFC 9110, 11.4). */
const bearerScheme = /^bearer(?![\w!#$%&'*+.^`|~-])/i;

const challenge = 'Bearer realm="petstore"';

/** The time between two rejected keys, when many come at once, and the longest that one waits: the others need the time. */
const rejectionMs = { between: 1, most: 1_000 };

/** Lets a request through when its API key is good. Reads nothing else of it (D12). */
export function authenticate(store: Store, now: () => number): RequestHandler {
  let nextRejectionAt = 0;

  /** Lets single requests pass, and keeps those back that try one key after the other. */
  async function waitForTurn(): Promise<void> {
    const time = performance.now();
    const waitMs = Math.min(nextRejectionAt - time, rejectionMs.most);
    nextRejectionAt = time + Math.max(waitMs, 0) + rejectionMs.between;
    if (waitMs >= 1) await sleep(waitMs);
  }

  return async (req, res, next) => {
    const { authorization = "" } = req.headers;
    const isOne = countHeader(req.rawHeaders, "authorization") <= 1;
    if (isOne && !bearerScheme.test(authorization)) {
      throw new Refusal("missing_api_key", "Send an API key: Authorization: Bearer <API key>.", {
        "WWW-Authenticate": challenge,
      });
    }
    const found = isOne ? findKey(store, authorization) : undefined;
    const key = found instanceof Promise ? await withinStoreTime(res, found) : found;
    res.locals.keyId = key?.id;
    if (key === undefined || keyState(key, now()) !== "active") {
      await waitForTurn();
      throw invalidKey();
    }
    res.locals.apiKey = key;
    next();
  };
}

/** Rejects an API key without the scope of the operation. Follows the rate limit, so that such requests count too. */
export const checkScope: RequestHandler = (req, res, next) => {
  const { scope } = metadataOf(req);
  if (res.locals.apiKey?.scopes.includes(scope) !== true) {
    throw new Refusal("insufficient_scope", `The API key lacks the scope "${scope}", which this operation needs.`, {
      "WWW-Authenticate": `${challenge}, error="insufficient_scope", scope="${scope}"`,
    });
  }
  next();
};

function findKey(store: Store, authorization: string): ReturnType<Store["findKey"]> {
  const secret = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  return secret !== undefined && isKeyForm(secret) ? store.findKey(hashSecret(secret)) : undefined;
}

/** The same for every cause, so that nobody learns which keys exist. */
function invalidKey(): Refusal {
  return new Refusal("invalid_api_key", "The API key is not valid.", {
    "WWW-Authenticate": `${challenge}, error="invalid_token"`,
  });
}
