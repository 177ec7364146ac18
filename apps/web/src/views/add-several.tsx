/** The form for several animals. */
export function AddSeveral() {
  return null;
}
