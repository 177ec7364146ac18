import { categoryLabel, categoryNames } from "./categories.ts";

/** The label of a category. A name may be in any script. */
export function Category({ id }: { id: string }) {
  const label = categoryLabel(id);
  return categoryNames.has(id) ? <bdi>{label}</bdi> : <>{label}</>;
}
