import type { Definition } from "../../types.ts";
import { addFilter, idempotencyWindow, repeated, withExamples } from "../options.ts";

export const api: Definition = {
  name: "api",
  heading: "Catalogue commands:",
  description: "send a request to any path of the service, and print the response",
  define(command, run) {
    command
      .argument("[method]", "like GET or POST (default: GET, or POST with a body)")
      .argument("[path]", "like pets or /pets?status=sold")
      .addOption(repeated("-f, --raw-field <name=value>", "a field of the body, or of the query of a GET, as text"))
      .addOption(repeated("-F, --field <name=value>", "a number, true, false, null, or text like --raw-field"))
      .option("--input <file>", "the body as JSON from a file, or - for standard input; fields go into the query")
      .option("--paginate", "fetch all pages of a list")
      .option("--idempotency-key <key>", `repeats with the same key within ${idempotencyWindow} take effect once`);
    addFilter(command).action(run(async () => (await import("./run.ts")).callApi));
    withExamples(
      command,
      ["A page of animals", "petstore api GET pets -F limit=10"],
      ["The names of all animals", "petstore api pets --paginate --jq '.[].name'"],
      ["Add an animal", "petstore api pets -f name=Rex -F categoryId=1"],
      ["From a file", "petstore api pets --input animal.json"],
    );
  },
};
