import { withExamples } from "../help.ts";
import type { Definition } from "../program.ts";

export const auth: Definition = {
  name: "auth",
  heading: "SETTINGS COMMANDS",
  description: "manage the API key",
  define(command, run) {
    withExamples(command, ["Save a key", "petstore auth login"], ["Check it", "petstore auth status"]);
    const login = command
      .command("login")
      .description("check an API key, from a prompt or standard input, and save it")
      .option("--insecure-storage", "save the key in a file, even if there is a system keyring")
      .action(run(async () => (await import("../commands/auth.ts")).logIn));
    withExamples(
      login,
      ["Enter the key at a prompt", "petstore auth login --base-url https://petstore.example/v1"],
      ["In a script", "petstore auth login < key.txt"],
    );
    const logout = command
      .command("logout")
      .description("remove the saved API key")
      .action(run(async () => (await import("../commands/auth.ts")).logOut));
    withExamples(logout, ["Remove the key of a profile", "petstore auth logout --profile staging"]);
    const status = command
      .command("status")
      .description("show the key and address in use, and check that the key is accepted")
      .action(run(async () => (await import("../commands/auth.ts")).showStatus));
    withExamples(status, ["The key and address in use", "petstore auth status"]);
  },
};
