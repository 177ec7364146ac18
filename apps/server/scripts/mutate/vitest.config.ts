const tests = {
  sqlite: { include: ["scripts/mutate/sqlite.ts", "test/sqlite-store.test.ts"] },
  postgres: { include: ["scripts/mutate/postgres.ts"], globalSetup: ["@petstore/test-kit/postgres-server"] },
};

/** The tests that run for each mutation of a store. */
export default { test: tests[process.env["PETSTORE_MUTATED_STORE"] as keyof typeof tests] };
