import type { Command } from "commander";
import { choiceArgument } from "../options.ts";
import type { Run } from "../program.ts";
import { configKeys } from "../setting-definitions.ts";

export function addConfig(program: Command, run: Run): void {
  const config = program.command("config").description("manage saved settings");
  const key = choiceArgument("<key>", "the setting", configKeys);
  config
    .command("list")
    .description("show every setting and where its value comes from")
    .action(run(async () => (await import("../commands/config.ts")).listConfig));
  config
    .command("get")
    .description("print the value of a setting")
    .addArgument(key)
    .action(run(async () => (await import("../commands/config.ts")).getConfig));
  config
    .command("set")
    .description("save a setting in the profile, or (KEY profile) choose the default profile")
    .addArgument(key)
    .argument("<value>", "its value")
    .action(run(async () => (await import("../commands/config.ts")).setConfig));
  config
    .command("unset")
    .description("remove a saved setting")
    .addArgument(key)
    .action(run(async () => (await import("../commands/config.ts")).unsetConfig));
  config
    .command("path")
    .description("print the path of the configuration file")
    .action(run(async () => (await import("../commands/config.ts")).showConfigPath));
}
