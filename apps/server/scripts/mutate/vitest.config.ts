const tests = {
  sqlite: { include: ["scripts/mutate/sqlite.ts", "test/sqlite-store.test.ts"] },
  postgres: { include: ["scripts/mutate/postgres.ts"], globalSetup: ["@petstore/test-kit/postgres-server"] },
};

/** What runs for each change to a store. */
export default { test: tests[process.env["PETSTORE_MUTATED_STORE"] as keyof typeof tests] };
