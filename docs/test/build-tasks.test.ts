import { read, root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { environment, outputOf } from "./checkout-copy.ts";

test("a build of everything checks whether the board that ships is that of its sources", async () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { build: string } };
  const [, tasks = ""] = /turbo run (.*)/.exec(scripts.build) ?? [];
  const command = ["node_modules/.bin/turbo", "run", ...tasks.split(" "), "--dry=json"];
  const { tasks: planned } = JSON.parse(
    await outputOf(command, { cwd: root, env: environment }),
  ) as Plan;
  const check = planned.find(({ taskId }) => taskId === "@petstore/web#check:generated");
  expect(Object.keys(check?.inputs ?? {})).toEqual(
    expect.arrayContaining(["src/app.tsx", "built/index.html"]),
  );
});

interface Plan {
  tasks: { taskId: string; inputs: Record<string, string> }[];
}
