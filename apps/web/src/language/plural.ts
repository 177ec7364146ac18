/** A text with a number: `one` for 1, otherwise `many`, in which `#` is the number. */
export function plural(one: string, many: string): (count: string) => string {
  return (count) => (count === "1" ? one : many.replace("#", () => count));
}
