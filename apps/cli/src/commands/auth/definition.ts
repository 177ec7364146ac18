import type { Definition } from "../../types.ts";
import { withExamples } from "../options.ts";
import { logIn, logOut } from "./run.ts";
import { showStatus } from "./status.ts";

export const auth: Definition = {
  name: "auth",
  heading: "Settings commands:",
  description: "manage the API key",
  define(command, run) {
    const login = command
      .command("login")
      .description("check an API key, from a prompt or standard input, and save it")
      .action(run(logIn));
    withExamples(
      login,
      ["Enter the key at a prompt", "petstore auth login --base-url https://petstore.example/v1"],
      ["In a script", "petstore auth login < key.txt"],
    );
    const logout = command.command("logout").description("remove the saved API key").action(run(logOut));
    withExamples(logout, ["Before you pass on the machine", "petstore auth logout"]);
    const status = command
      .command("status")
      .description("show the key and address in use, and check that they work")
      .action(run(showStatus));
    withExamples(status, ["When something does not work", "petstore auth status"]);
  },
};
