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

  const profiles = config.command("profiles").description("manage profiles");
  profiles
    .command("list")
    .description("list the profiles, their addresses, and where their keys are saved")
    .action(run(async () => (await import("../commands/config.ts")).listProfiles));
  profiles
    .command("use")
    .description("use a profile by default")
    .argument("<profile>", "its name")
    .action(run(async () => (await import("../commands/config.ts")).useProfile));
  profiles
    .command("delete")
    .description("delete a profile and its key")
    .argument("<profile>", "its name")
    .option("--yes", "do not ask")
    .action(run(async () => (await import("../commands/config.ts")).deleteProfile));
}
