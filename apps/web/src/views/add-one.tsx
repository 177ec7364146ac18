/** The form for one animal. */
export function AddOne() {
  return null;
}
