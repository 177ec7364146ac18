/** Whether tests run at full length. `pnpm proof` sets it. */
export const isProof = process.env["PETSTORE_TEST_PROOF"] === "1";

/** How much a test that takes long does: `short` in `pnpm test`, `long` in `pnpm proof`. */
export function endurance<Size>(short: Size, long: Size): Size {
  return isProof ? long : short;
}
