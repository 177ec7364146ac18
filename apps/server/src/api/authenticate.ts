import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { andThen, bearerOf, keyState, Refusal, type ApiKey, type MaybePromise, type Store } from "@petstore/service";
import { hashSecret, isKeyForm } from "../api-key.ts";
import { countHeader } from "../http/framing.ts";
import { withinStoreTime } from "./store-time.ts";

/** The time between two rejected keys, when many come at once, and the longest that one waits: the others need the time. */
const rejectionMs = { between: 1, most: 1_000 };

// Made once: an error takes long to make, and many may try.
const invalidKey = new Refusal("invalid_api_key");

/** Finds out who asks. Reads nothing else of a request. @throws {Refusal} 401 when there is no good API key */
export function createAuthentication(store: Store, now: () => number): (req: IncomingMessage) => MaybePromise<ApiKey> {
  let nextRejectionAt = 0;

  /** Lets single requests pass, and keeps those back that try one key after the other. */
  async function waitForTurn(): Promise<void> {
    const time = performance.now();
    const waitMs = Math.min(nextRejectionAt - time, rejectionMs.most);
    nextRejectionAt = time + Math.max(waitMs, 0) + rejectionMs.between;
    if (waitMs >= 1) await sleep(waitMs);
  }

  async function reject(): Promise<never> {
    await waitForTurn();
    throw invalidKey;
  }

  return ({ headers, rawHeaders, state }) => {
    const isOne = countHeader(rawHeaders, "authorization") <= 1;
    const secret = isOne ? bearerOf(headers.authorization ?? "") : undefined;
    const found = secret !== undefined && isKeyForm(secret) ? store.findKey(hashSecret(secret)) : undefined;
    return andThen(withinStoreTime(state, found), (key) => {
      state.keyId = key?.id;
      return key !== undefined && keyState(key, now()) === "active" ? key : reject();
    });
  };
}
