import { appendFileSync } from "node:fs";
import { basename } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** A row of the table that `pnpm proof` prints. */
export interface ProofRow {
  suite: string;
  promise: string;
  figure: string;
  hasPassed: boolean;
}

/** Collects the tests that state a figure, and the number of the others. Each suite appends a line of JSON for each row. */
export default class ProofReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: "passed" | "interrupted" | "failed"): void {
    const tests = modules.flatMap((each) => [...each.children.allTests()]);
    const suite = basename(process.cwd());
    const rows = tests.flatMap((test): ProofRow[] => {
      const { figure } = test.meta();
      return figure === undefined
        ? []
        : [{ suite, promise: test.fullName, figure, hasPassed: test.result().state === "passed" }];
    });
    const passed = tests.filter((test) => test.result().state === "passed");
    // A file that could not be loaded has no tests that failed.
    const figure = `${passed.length} of ${tests.length} tests passed`;
    const summary = { suite, promise: "all tests", figure, hasPassed: reason === "passed" };
    const lines = [...rows, summary].map((row) => `${JSON.stringify(row)}\n`).join("");
    appendFileSync(process.env["PETSTORE_TEST_PROOF_REPORT"] ?? "", lines);
  }
}
