/** The modules that a store starts as a thread and as a process. The build bundles them into one file: see tsdown.config.ts. */
export const entryPoints = {
  checker: new URL("./checker.ts", import.meta.url),
  writer: new URL("./writer.ts", import.meta.url),
};
