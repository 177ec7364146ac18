import { randomUUID } from "node:crypto";
import { InvalidArgumentError, isApiError, isPetstoreError } from "@petstore/client";
import { isUnreachable } from "../../explain-failure.ts";
import type { Context } from "../../types.ts";

/**
 * Sends a write with an idempotency key. If it is not known whether it took effect, says how to
 * repeat it so that it takes effect once.
 * @param given the key of the user, who can repeat the command as it is
 */
export async function sendRepeatable<Result>(
  { note }: Context,
  given: string | undefined,
  write: (idempotencyKey: string) => Promise<Result>,
): Promise<Result> {
  const key = given ?? randomUUID();
  try {
    return await write(key);
  } catch (error) {
    if (isUncertain(error))
      note(
        `it is not known whether this took effect. To be safe, repeat the command with --idempotency-key ${key}`,
      );
    throw error;
  }
}

/** Whether the write may have taken effect. */
function isUncertain(error: unknown): boolean {
  if (isApiError(error)) return error.status >= 500 || error.code === "idempotency_in_progress";
  return (
    isPetstoreError(error) && !(error instanceof InvalidArgumentError) && !isUnreachable(error)
  );
}
