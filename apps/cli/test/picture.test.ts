import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { serve } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test } from "./support/fixtures.ts";
import { petstoreInTerminal } from "./support/petstore.ts";
import { drawTerminal, linesOf, typed, type Line, type Theme } from "./support/picture.ts";

const columns = 46;

const commands = [
  [0, "pets list --limit 5 -q"],
  [0, "pets import animals.csv"],
  // Again.
  [0, "pets import animals.csv -q"],
  [0, "pets list --status sold -o csv"],
  [2, "pets list --statu sold"],
] as const;

// `pnpm --filter @petstore/cli test picture -u` draws them again.
test("the pictures of the terminal show what petstore prints", async ({ directory, home }) => {
  await using stack = new AsyncDisposableStack();
  stack.use(await serve(directory, { args: ["--dev"], environment: { PETSTORE_PORT: "0" } }));
  writeFileSync(join(directory, "animals.csv"), "name,categoryId\nRex,1\nCoco,4\nTom,2\n");
  const lines: Line[] = [];
  for (const [exitCode, command] of commands) {
    await using session = petstoreInTerminal(command, { home, directory, columns });
    expect(await session.ended).toBe(exitCode);
    lines.push(typed(`petstore ${command}`), ...linesOf(session), []);
  }
  for (const theme of ["light", "dark"] satisfies Theme[]) {
    const picture = join(root, `docs/images/terminal-${theme}.svg`);
    await expect(drawTerminal(lines.slice(0, -1), columns, theme)).toMatchFileSnapshot(picture);
  }
});
