import type { Definition } from "../../types.ts";
import { withExamples } from "../options.ts";

export const version: Definition = {
  name: "version",
  heading: "Other commands:",
  description: "print the versions of petstore and Node",
  define(command, run) {
    command.action(run(async () => (await import("./run.ts")).printVersion));
    withExamples(command, ["For a bug report", "petstore version -o json"]);
  },
};
