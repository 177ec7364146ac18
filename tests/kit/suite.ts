import { configDefaults, defineConfig, mergeConfig, type ViteUserConfig } from "vitest/config";
import { isProof } from "./endurance.ts";
import { patienceMs } from "./eventually.ts";

/**
 * What every suite has in common. Tests wait for states, and these limits only end tests that hang:
 * they are far above what a test needs on a busy machine, and no test sets its own. Files named
 * `*.proof.test.ts` take too long for every run, or measure: they run in `pnpm proof`, one file
 * after the other, so that none measures the load of another.
 */
export function suite(...configurations: readonly ViteUserConfig[]): ViteUserConfig {
  const common = defineConfig({
    test: {
      setupFiles: [`${import.meta.dirname}/seed.ts`],
      exclude: [...configDefaults.exclude, ...(isProof ? [] : ["**/*.proof.test.ts"])],
      fileParallelism: !isProof,
      // A file whose programs are not installed has no test. In CI, where they are, one without
      // tests is a mistake.
      passWithNoTests: process.env["PETSTORE_TEST_EVERY_PROGRAM"] !== "1",
      testTimeout: isProof ? 900_000 : 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: patienceMs, interval: 20 } },
    },
  });
  const merged = configurations.reduce<ViteUserConfig>(
    (before, each) => mergeConfig(before, each),
    common,
  );
  // `pnpm test:watch` runs several suites at once: only those with as many workers share a group.
  const groupOrder = Number(merged.test?.maxWorkers ?? 0);
  return mergeConfig(merged, { test: { sequence: { groupOrder } } });
}
