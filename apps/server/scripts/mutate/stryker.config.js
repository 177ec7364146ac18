const store = process.env["PETSTORE_MUTATED_STORE"];

/** Changes a store in one place after the other, and reports which changes no test notices. */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  // TypeScript 7 has no API to rewrite the configuration of a copy with. Stryker restores the files, also when it is stopped.
  inPlace: true,
  disableTypeChecks: false,
  mutate: [`src/store/${store}/{keys,store}.ts`, "src/store/rows.ts"],
  vitest: { configFile: "scripts/mutate/vitest.config.ts", related: false },
  concurrency: 1,
  reporters: ["clear-text", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false },
  timeoutMS: 3_000,
};
