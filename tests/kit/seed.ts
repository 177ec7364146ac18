// A setup file of vitest. fast-check prints the seed of a property that fails; PETSTORE_TEST_SEED
// repeats it.
const seed = process.env["PETSTORE_TEST_SEED"];

if (seed !== undefined) {
  // Suites without properties need not load it.
  const { configureGlobal, readConfigureGlobal } = await import("fast-check");
  configureGlobal({ ...readConfigureGlobal(), seed: Number(seed) });
}
