import { words } from "../language/language.ts";
import type { Problem } from "../language/problem.ts";
import { CopyButton } from "./copy-button.tsx";

/** The id of the request that failed, to quote to the operator. */
export function RequestId({ of: { requestId } }: { of: Problem }) {
  if (requestId === undefined) return null;
  return (
    <p class="request-id">
      {words.value.requestId} <code>{requestId}</code> <CopyButton text={requestId} />
    </p>
  );
}
