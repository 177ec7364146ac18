import { installed } from "@petstore/test-kit/programs";
import { expect, test } from "vitest";
import { blocksOf, isTyped, pages } from "./pages.ts";
import { problemsOf, stepsOf } from "./session.ts";

const sessions = pages
  .map((page) => ({ page, steps: blocksOf(page).filter(isTyped).flatMap(stepsOf) }))
  .filter(({ steps }) => steps.length > 0);

/** Programs that some pages use and this machine does not have. */
const missing = (["curl", "jq"] as const).filter((program) => installed(program).length === 0);
const testable = sessions.filter(
  ({ steps }) => !missing.some((program) => steps.some(({ command }) => command.includes(program))),
);

test.each(testable)("the commands of $page print the shown output", async ({ page, steps }) => {
  expect(await problemsOf(page, steps)).toEqual([]);
});
