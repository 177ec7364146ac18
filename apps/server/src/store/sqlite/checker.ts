// The process that reads every page of a large file while the file is in use. It prints the problem, if there is one.
import { argv, stderr, stdout } from "node:process";
import { DatabaseFileError } from "./draft.ts";
import { checkPages } from "./file.ts";

// A terminal sends Ctrl-C to this process too. The server ends it when it stops.
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, () => {});

const [, , file = ""] = argv;
try {
  checkPages(file);
} catch (error) {
  const isDamaged = error instanceof DatabaseFileError;
  (isDamaged ? stdout : stderr).write((error as Error).message);
  if (!isDamaged) process.exitCode = 1;
}
