import { words } from "./language.ts";
import type { Problem } from "./problem.ts";

interface LoadAgainProps {
  of: Problem;
  isResting?: boolean;
}

/**
 * Loads the page again, if something before the service has answered: it may show a page of its own
 * then, to sign in there.
 */
export function LoadAgain({ of: { kind }, isResting = false }: LoadAgainProps) {
  if (kind !== "intercepted") return null;
  return (
    <button type="button" aria-disabled={isResting} onClick={() => !isResting && location.reload()}>
      {words.value.actions.loadAgain}
    </button>
  );
}
