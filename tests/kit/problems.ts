/** Fails a test with exactly these lines. A comparison of long texts would hide the advice. */
export function expectNoProblems(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const error = new Error(problems.join("\n"));
  error.stack = error.message; // keeps the code of the test out of the output
  throw error;
}
