import { expect, test } from "vitest";
import { blocksOf, isTyped } from "./pages.ts";
import { problemsOf, stepsOf, type Step } from "./session.ts";

/** Pages that a newcomer follows one after the other, with the same development server and its data. */
const readme = "README.md";
const tutorial = "docs/tutorial.md";

/** What the program of README.md adds, which programs.test.ts runs. */
const program: Step = {
  command: "petstore pets create --name Rex --category-id 1 --status pending",
  output: undefined,
};

function commandsOf(page: string): Step[] {
  const steps = blocksOf(page).filter(isTyped).flatMap(stepsOf);
  return page === readme ? [program, ...steps] : steps;
}

test.each([
  [readme, tutorial],
  [tutorial, readme],
])("on one server, the commands of %s and then those of %s print the shown output", async (first, second) => {
  const steps = [first, second].flatMap(commandsOf);
  expect(steps.length).toBeGreaterThan(12);
  expect(await problemsOf(`${first}, ${second}`, steps)).toEqual([]);
});
