import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resolveTool } from "@petstore/test-kit/tools";
import { outputOf } from "./checkout-copy.ts";

export const packageManagers = ["npm", "pnpm", "yarn", "bun"] as const;

/** How users add packages to a project, and start a program in it: a file, or one of a package. */
function commandsOf(manager: (typeof packageManagers)[number]): Record<"add" | "file" | "program", string[]> {
  const yarn = ["node", resolveTool("@yarnpkg/cli-dist/bin/yarn.js")];
  const bun = resolveTool("@oven/bun-linux-x64-baseline/bin/bun");
  return {
    npm: { add: ["npm", "install"], file: ["node"], program: ["npx", "--offline"] },
    pnpm: { add: ["pnpm", "add"], file: ["node"], program: ["pnpm", "exec"] },
    yarn: { add: [...yarn, "add"], file: [...yarn, "node"], program: [...yarn, "run"] },
    bun: { add: [bun, "add"], file: [bun], program: [bun, "run"] },
  }[manager];
}

/** Makes an empty project, and adds packages of a registry to it. */
export async function install(
  manager: (typeof packageManagers)[number],
  packages: readonly string[],
  home: string,
  registry: string,
) {
  const commands = commandsOf(manager);
  const project = mkdtempSync(join(home, `a project with ${manager} `));
  writeFileSync(join(project, "package.json"), '{"private":true,"type":"module"}');
  writeFileSync(join(project, "yarn.lock"), ""); // says that the project is not a part of another

  const env = {
    ...process.env,
    HOME: home,
    npm_config_registry: registry,
    npm_config_prefix: join(home, "global"),
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
    YARN_NPM_MINIMAL_AGE_GATE: "0", // by default, it installs no release of the last days
    YARN_ENABLE_TELEMETRY: "0",
  };
  const run = (command: readonly string[]) => outputOf(command, { cwd: project, env });
  const add = async (...added: readonly string[]) => void (await run([...commands.add, ...added]));
  await add(...packages);
  return {
    add,
    modules: join(project, "node_modules"),
    /** Runs commands of a README. */
    shell: (script: string) => run(["sh", "-e", "-c", script]),
    petstore: (...args: readonly string[]) => run([...commands.program, "petstore", ...args]),
    /** Runs a program of the user's. */
    run(program: string): Promise<string> {
      writeFileSync(join(project, "program.mjs"), program);
      return run([...commands.file, "program.mjs"]);
    },
  };
}
