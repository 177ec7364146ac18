import type { Command } from "commander";
import type { Run } from "../program.ts";

export function addAuth(program: Command, run: Run): void {
  const auth = program.command("auth").description("manage the API key");
  auth
    .command("login")
    .description("check an API key, from a prompt or standard input, and save it")
    .option("--insecure-storage", "save the key in a file, even if there is a system keyring")
    .action(run(async () => (await import("../commands/auth.ts")).logIn));
  auth
    .command("logout")
    .description("remove the saved API key")
    .action(run(async () => (await import("../commands/auth.ts")).logOut));
  auth
    .command("status")
    .description("show the key and address in use, and check that the key is accepted")
    .action(run(async () => (await import("../commands/auth.ts")).showStatus));
}
