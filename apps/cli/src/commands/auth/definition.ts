import type { Definition } from "../../types.ts";
import { withExamples } from "../options.ts";

export const auth: Definition = {
  name: "auth",
  heading: "Settings commands:",
  description: "manage the API key",
  define(command, run) {
    const login = command
      .command("login")
      .description("check an API key, from a prompt or standard input, and save it")
      .action(run(async () => (await import("./run.ts")).logIn));
    withExamples(
      login,
      ["Enter the key at a prompt", "petstore auth login --base-url https://petstore.example/v1"],
      ["In a script", "petstore auth login < key.txt"],
    );
    const logout = command
      .command("logout")
      .description("remove the saved API key")
      .action(run(async () => (await import("./run.ts")).logOut));
    withExamples(logout, ["Before you pass on the machine", "petstore auth logout"]);
    const status = command
      .command("status")
      .description("show the key and address in use, and check that they work")
      .action(run(async () => (await import("./status.ts")).showStatus));
    withExamples(status, ["When something does not work", "petstore auth status"]);
  },
};
