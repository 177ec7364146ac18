import { signal } from "@preact/signals";

const query = matchMedia("(width >= 75rem)");

/** Whether the details of an animal have room beside the list. */
export const isWide = signal(query.matches);

query.addEventListener("change", () => (isWide.value = query.matches));
