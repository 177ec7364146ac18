/** The code of the thread and of the process that a store starts. The build has it in the one file of the program: see tsdown.config.ts. */
export const entryPoints = {
  checker: new URL("./checker.ts", import.meta.url),
  writer: new URL("./writer.ts", import.meta.url),
};
