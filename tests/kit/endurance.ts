/** Whether tests run at full length. `pnpm proof` sets it. */
export const isProof = process.env["PETSTORE_TEST_PROOF"] === "1";

/** Whether tests run against the files that ship instead of the source. Set in CI. */
export const testsShipped = process.env["PETSTORE_TEST_SHIPPED"] === "1";

/** Whether Turbo or CI has just built what ships. */
export const isBuilt = testsShipped || process.env["TURBO_HASH"] !== undefined;

/** How much a test that takes long does: `short` in `pnpm test`, `long` in `pnpm proof`. */
export function endurance<Size>(short: Size, long: Size): Size {
  return isProof ? long : short;
}
