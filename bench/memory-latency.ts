/** More than the caches of a core hold. */
const bytes = 8 * 1024 * 1024;

/**
 * The time of one read from memory, in nanoseconds. It decides absolute figures: a request touches much code and data. Each read
 * needs the result of the one before it, so the processor cannot overlap them.
 */
export function memoryLatency(): number {
  const next = randomCycle(bytes / Int32Array.BYTES_PER_ELEMENT);
  const start = performance.now();
  let at = 0;
  for (let reads = 0; reads < next.length; reads++) at = next[at] ?? 0;
  const ms = performance.now() - start;
  if (at !== 0) throw new Error("the cycle is not closed"); // and the engine may not drop the loop
  return (ms * 1e6) / next.length;
}

/** A permutation of which every number leads through all others back to itself (Sattolo's algorithm). */
function randomCycle(length: number): Int32Array {
  const next = Int32Array.from({ length }, (_, index) => index);
  for (let last = length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * last);
    const value = next[last] ?? 0;
    next[last] = next[other] ?? 0;
    next[other] = value;
  }
  return next;
}
