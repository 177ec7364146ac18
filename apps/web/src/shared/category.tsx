import { categoryLabel, categoryNames } from "./categories.ts";

/** A category as people read it. A name may be in any script. */
export function Category({ id }: { id: string }) {
  const label = categoryLabel(id);
  return categoryNames.has(id) ? <bdi>{label}</bdi> : <>{label}</>;
}
