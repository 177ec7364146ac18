/** Fails a test with these lines and nothing else: a comparison of long texts would hide what to do. */
export function expectNoProblems(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const error = new Error(problems.join("\n"));
  error.stack = error.message; // without it, no code of the test is printed
  throw error;
}
