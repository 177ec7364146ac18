/** The code of each thread. The build has it in the one file of the program: see tsdown.config.ts. */
export const threadCode = {
  checker: new URL("./checker.ts", import.meta.url),
  writer: new URL("./writer.ts", import.meta.url),
};
