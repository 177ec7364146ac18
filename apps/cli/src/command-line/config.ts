import type { Command } from "commander";
import { withExamples } from "../help.ts";
import { choiceArgument } from "../options.ts";
import type { Run } from "../program.ts";
import { configKeys } from "../setting-definitions.ts";

export function addConfig(program: Command, run: Run): void {
  const config = program.command("config").helpGroup("SETTINGS COMMANDS").description("manage saved settings");
  withExamples(
    config,
    ["Every setting", "petstore config list"],
    ["Print tables everywhere", "petstore config set output table"],
  );
  const key = choiceArgument("<key>", "the setting", configKeys);
  const list = config
    .command("list")
    .description("show every setting and where its value comes from")
    .action(run(async () => (await import("../commands/config.ts")).listConfig));
  withExamples(list, ["Every setting and its source", "petstore config list"]);
  const get = config
    .command("get")
    .description("print the value of a setting")
    .addArgument(key)
    .action(run(async () => (await import("../commands/config.ts")).getConfig));
  withExamples(get, ["The address in use", "petstore config get base-url"]);
  const set = config
    .command("set")
    .description("save a setting in the profile, or (KEY profile) choose the default profile")
    .addArgument(key)
    .argument("<value>", "its value")
    .action(run(async () => (await import("../commands/config.ts")).setConfig));
  withExamples(
    set,
    ["Wait longer for slow connections", "petstore config set timeout 2m"],
    ["Use another profile from now on", "petstore config set profile staging"],
  );
  const unset = config
    .command("unset")
    .description("remove a saved setting")
    .addArgument(key)
    .action(run(async () => (await import("../commands/config.ts")).unsetConfig));
  withExamples(unset, ["Use the default again", "petstore config unset timeout"]);
  const path = config
    .command("path")
    .description("print the path of the configuration file")
    .action(run(async () => (await import("../commands/config.ts")).showConfigPath));
  withExamples(path, ["Show the file", 'cat "$(petstore config path)"']);
}
