/** The code of each thread. The build has it in the one file of the program: see tsdown.config.ts. */
export const threads = {
  writer: new URL("./writer.ts", import.meta.url),
};
