import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { andThen, bearerOf, keyState, Refusal, type ApiKey, type MaybePromise, type Store } from "@petstore/service";
import { hashSecret, isKeyForm } from "../api-key.ts";
import { countHeader } from "../http/framing.ts";
import { withinStoreTime } from "./store-time.ts";

/** The time between two rejected keys if many come at once, and the longest wait for one. Leaves time for valid requests. */
const rejectionMs = { between: 1, max: 1_000 };

// Created once: creating an error is slow, and many callers may try keys.
const invalidKey = new Refusal("invalid_api_key");

/** Identifies the caller, and reads nothing else of the request. @throws {Refusal} 401 without a valid API key */
export function createAuthentication(store: Store, now: () => number): (req: IncomingMessage) => MaybePromise<ApiKey> {
  let nextRejectionAt = 0;

  /** Lets single requests pass, and slows down callers that try one key after another. */
  async function waitForTurn(): Promise<void> {
    const time = performance.now();
    const waitMs = Math.min(nextRejectionAt - time, rejectionMs.max);
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
