import { Argument } from "commander";
import { definitions, settingNames } from "../../settings/definitions.ts";
import type { Definition } from "../../types.ts";
import { withExamples } from "../options.ts";

export const config: Definition = {
  name: "config",
  heading: "Settings commands:",
  description: "manage saved settings",
  define(command, run) {
    const list = command
      .command("list")
      .description("show the values of settings and where they come from")
      .action(run(async () => (await import("./run.ts")).listConfig));
    withExamples(list, ["Every setting and its source", "petstore config list"]);
    const saved = settingNames.filter((name) => definitions[name].isSaved);
    const set = command
      .command("set")
      .description("save a setting in the profile; an empty value removes it")
      .addArgument(new Argument("<key>", "the setting").choices(saved))
      .argument("<value>", "its value")
      .action(run(async () => (await import("./run.ts")).setConfig));
    withExamples(set, ["Print tables everywhere", "petstore config set output table"]);

    const profiles = command.command("profiles").description("manage profiles");
    const listProfiles = profiles
      .command("list")
      .description("list the profiles, their addresses, and where their keys are saved")
      .action(run(async () => (await import("./run.ts")).listProfiles));
    withExamples(listProfiles, ["All profiles", "petstore config profiles list"]);
    const use = profiles
      .command("use")
      .description("use a profile by default")
      .argument("<profile>", "its name")
      .action(run(async () => (await import("./run.ts")).useProfile));
    withExamples(use, ["From now on", "petstore config profiles use staging"]);
    const remove = profiles
      .command("delete")
      .description("delete a profile and its key")
      .argument("<profile>", "its name")
      .action(run(async () => (await import("./run.ts")).deleteProfile));
    withExamples(remove, ["A profile that is not needed any more", "petstore config profiles delete staging"]);
  },
};
