import { words } from "../language/language.ts";
import type { Problem } from "../language/problem.ts";

interface LoadAgainProps {
  of: Problem;
  isPaused?: boolean;
}

/**
 * Loads the page again, if something before the service has answered: it may show a page of its own
 * then, to sign in there.
 */
export function LoadAgain({ of: { kind }, isPaused = false }: LoadAgainProps) {
  if (kind !== "intercepted") return null;
  return (
    <button type="button" aria-disabled={isPaused} onClick={() => !isPaused && location.reload()}>
      {words.value.actions.loadAgain}
    </button>
  );
}
