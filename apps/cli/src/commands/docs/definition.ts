import type { Definition } from "../../types.ts";
import { withExamples } from "../options.ts";

export const docs: Definition = {
  name: "docs",
  heading: "Other commands:",
  description: "open the API reference of the service in the browser",
  define(command, run) {
    command.option("--print", "print its address only").action(run(async () => (await import("./run.ts")).openDocs));
    withExamples(command, ["Read the reference", "petstore docs"], ["Its address", "petstore docs --print"]);
  },
};
