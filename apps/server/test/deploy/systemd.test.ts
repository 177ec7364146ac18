import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { read, root } from "@petstore/test-kit/checkout";
import { installed } from "@petstore/test-kit/programs";
import { expectExit, petstoreServer, start } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test } from "../support/petstore.ts";

const commands = read("docs/deployment.md").match(/^install -.*$/gm) ?? [];

test.for(installed("systemd-analyze"))(
  "0: %s accepts the units that the commands of the page install, and that their services have few rights",
  async (program, { petstore }) => {
    expect(commands).toHaveLength(19);
    const here = (text: string): string =>
      text.replaceAll(
        /\/(?:opt|etc|var|srv)\/(?:petstore|systemd|www)/g,
        (path) => petstore.directory + path,
      );
    const script = here(commands.join("\n"))
      .replace("apps/server/dist/petstore-server.mjs", `"${petstoreServer}"`)
      .replaceAll("apps/cli/dist/*.cjs", "apps/cli/README.md") // tests of the documentation run the real one
      .replaceAll(/-o (?:www-data|petstore-import) /g, "") // only root may give folders away
      .replace('"$(npx pnpm@12 exec node -p process.execPath)"', `"${process.execPath}"`);
    execFileSync("mkdir", ["-p", here("/etc/systemd/system")]); // every machine with systemd has it
    execFileSync("sh", ["-e", "-c", script], { cwd: root });
    writeFileSync(here("/opt/petstore/litestream"), "", { mode: 0o755 }); // of another project

    const units = globSync(here("/etc/systemd/system/*"));
    expect(units).toHaveLength(9);
    for (const unit of units) writeFileSync(unit, here(readFileSync(unit, "utf8")));
    const analyze = (...args: string[]) => start(program, args, petstore).ended;
    // It also reads the units of other packages, and reports what is wrong with them.
    const { stderr } = await expectExit(0, analyze("verify", "--man=no", ...units));
    expect(stderr.split("\n").filter((line) => line.includes("petstore"))).toEqual([]);
    // From 0, which is safe, to 100. A service without restrictions has 96.
    const services = units.filter((unit) => /petstore@?\.service$/.test(unit));
    for (const unit of services)
      await expectExit(0, analyze("security", "--offline=yes", "--threshold=20", unit));
  },
);
