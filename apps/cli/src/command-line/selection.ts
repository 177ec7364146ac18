import { Option, type Command } from "commander";

/** The options that choose what to print of the data, by the parser's names. */
export interface Selection {
  /** `true` without a value. */
  json?: string | true;
  jq?: string;
}

export function addSelection(command: Command): Command {
  const json = new Option("--json [fields]", "print only these fields, as JSON; separate them with commas");
  return addFilters(command.addOption(json));
}

/** The options that work with any JSON. */
export function addFilters(command: Command): Command {
  return command.option("--jq <expression>", "filter the JSON with a jq expression, like .id");
}
