import type { Command } from "commander";
import { withExamples } from "../help.ts";
import { choiceArgument } from "../options.ts";
import type { Definition, Run } from "../program.ts";
import { configKeys } from "../setting-definitions.ts";

export const config: Definition = {
  name: "config",
  heading: "SETTINGS COMMANDS",
  description: "manage saved settings",
  define(command, run) {
    withExamples(
      command,
      ["Every setting", "petstore config list"],
      ["Print tables everywhere", "petstore config set output table"],
    );
    const key = choiceArgument("<key>", "the setting", configKeys);
    const list = command
      .command("list")
      .description("show the values of settings and where they come from")
      .action(run(async () => (await import("../commands/config.ts")).listConfig));
    withExamples(list, ["Every setting and its source", "petstore config list"]);
    const get = command
      .command("get")
      .description("print the value of a setting")
      .addArgument(key)
      .action(run(async () => (await import("../commands/config.ts")).getConfig));
    withExamples(get, ["The address in use", "petstore config get base-url"]);
    const set = command
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
    const unset = command
      .command("unset")
      .description("remove a saved setting")
      .addArgument(key)
      .action(run(async () => (await import("../commands/config.ts")).unsetConfig));
    withExamples(unset, ["Use the default again", "petstore config unset timeout"]);
    const path = command
      .command("path")
      .description("print the path of the configuration file")
      .action(run(async () => (await import("../commands/config.ts")).showConfigPath));
    withExamples(path, ["Show the file", 'cat "$(petstore config path)"']);

    addProfiles(command, run);
  },
};

function addProfiles(command: Command, run: Run): void {
  const profiles = command.command("profiles").description("manage profiles");
  const list = profiles
    .command("list")
    .description("list the profiles, their addresses, and where their keys are saved")
    .action(run(async () => (await import("../commands/config.ts")).listProfiles));
  withExamples(list, ["All profiles", "petstore config profiles list"]);
  const use = profiles
    .command("use")
    .description("use a profile by default")
    .argument("<profile>", "its name")
    .action(run(async () => (await import("../commands/config.ts")).useProfile));
  withExamples(use, ["From now on", "petstore config profiles use staging"]);
  const remove = profiles
    .command("delete")
    .description("delete a profile and its key")
    .argument("<profile>", "its name")
    .option("--yes", "do not ask")
    .action(run(async () => (await import("../commands/config.ts")).deleteProfile));
  withExamples(remove, ["Without a question", "petstore config profiles delete staging --yes"]);
  withExamples(profiles, ["All profiles", "petstore config profiles list"]);
}
