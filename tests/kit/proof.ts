import { basename } from "node:path";
import { promises } from "./promises.ts";
import type { ProofRow } from "./proof-reporter.ts";

/** Where and how `pnpm proof` ran. */
export interface ProofRun {
  seed: string;
  /** Milliseconds since 1970. */
  began: number;
  minutes: number;
  commit: string;
  machine: string;
}

/** The table of `pnpm proof`: every promise, whatever became of its tests, and every suite that reported. */
export function proofOf(rows: readonly ProofRow[], { seed, began, minutes, commit, machine }: ProofRun) {
  const proofs = Object.entries(promises).map(([id, { suite, promise }]) => {
    const found = rows.filter((row) => row.promise === id);
    const result =
      found.length === 0
        ? "NOT RUN"
        : found.every(({ hasPassed, figure }) => hasPassed && figure)
          ? "proved"
          : "FAILED";
    const figure = found.flatMap((row) => row.figure ?? []).join("; ");
    const [{ folder = suite, file = "" } = {}] = found;
    return [promise, result, figure, folder, basename(file, ".test.ts")];
  });
  const suites = rows.filter(({ promise }) => promise === undefined);
  const summaries = suites.map(({ suite, figure = "", hasPassed }) => [suite, hasPassed ? "passed" : "FAILED", figure]);
  const proved = proofs.filter(([, result]) => result === "proved").length;
  const text = [
    `# Proof of ${new Date(began).toISOString().slice(0, 10)}`,
    `${proved} of ${proofs.length} promises proved, at commit ${commit}, in ${minutes.toFixed(1)} minutes. ${machine}.`,
    "To repeat one:",
    `\`\`\`sh\nPETSTORE_TEST_PROOF=1 PETSTORE_TEST_SEED=${seed} npx pnpm@12 --dir FOLDER exec vitest run TEST\n\`\`\``,
    tableOf(["Promise", "Result", "Figure", "Folder", "Test"], proofs),
    tableOf(["Suite", "Result", "Tests"], summaries),
  ].join("\n\n");
  return { text: `${text}\n`, isProved: proved === proofs.length };
}

function tableOf(head: readonly string[], rows: readonly string[][]): string {
  const all = [head, head.map(() => "---"), ...rows];
  return all.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`).join("\n");
}
