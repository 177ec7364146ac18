/**
 * Compares two ids, which are the digits of integers without leading zeros: by their length, where
 * they do not differ in sign.
 */
export function compareIds(left: string, right: string): number {
  const [isNegative, isOtherNegative] = [left.startsWith("-"), right.startsWith("-")];
  if (isNegative !== isOtherNegative) return isNegative ? -1 : 1;
  const byText = left < right ? -1 : Number(left > right);
  const order = left.length - right.length || byText;
  return isNegative ? -order : order;
}
