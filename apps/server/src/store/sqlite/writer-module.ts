/** The module that a store starts as a thread. The build inlines it: see tsdown.config.ts. */
export const writerModule = new URL("./writer-thread.ts", import.meta.url);
