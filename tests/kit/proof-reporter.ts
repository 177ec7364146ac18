import { appendFileSync } from "node:fs";
import { basename, relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { root } from "./checkout.ts";
import type { PromiseId } from "./promises.ts";

/** A test that proves a promise; or, without one, how many tests of a suite passed. */
export interface ProofRow {
  suite: string;
  promise?: PromiseId | undefined;
  /** What the test measured or how much it tried. */
  figure: string | undefined;
  /** The folder of the suite, and the file of the test in it. */
  folder?: string;
  file?: string;
  hasPassed: boolean;
}

/** Collects the tests that prove a promise, and the number of all. Each suite appends a line of JSON for each row. */
export default class ProofReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: "passed" | "interrupted" | "failed"): void {
    const tests = modules.flatMap((each) => [...each.children.allTests()]);
    const suite = basename(process.cwd());
    const hasPassed = (test: (typeof tests)[number]): boolean => test.result().state === "passed";
    const rows = tests.flatMap((test): ProofRow[] => {
      const { figure, promise } = test.meta();
      if (promise === undefined) return [];
      const [folder, file] = [relative(root, process.cwd()), relative(process.cwd(), test.module.moduleId)];
      return [{ suite, promise, figure, folder, file, hasPassed: hasPassed(test) }];
    });
    // A file that could not be loaded has no tests that failed.
    const figure = `${tests.filter(hasPassed).length} of ${tests.length} tests passed`;
    const summary: ProofRow = { suite, figure, hasPassed: reason === "passed" };
    const lines = [...rows, summary].map((row) => `${JSON.stringify(row)}\n`).join("");
    appendFileSync(process.env["PETSTORE_TEST_PROOF_REPORT"] ?? "", lines);
  }
}
