import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test } from "../support/petstore.ts";

const animals = 2_000;

test("503 for the animals on a damaged page, with the reason in the log; 65 for backup and 1 for doctor", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  await petstore.run(
    "import pets -",
    Array.from({ length: animals }, (_, id) => `{"id":${id},"name":"Bella","categoryId":1}\n`).join(""),
  );
  const file = petstore.path("petstore.db");
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xa5, bytes.length >> 1, (bytes.length >> 1) + 5 * 4_096));

  {
    await using server = await petstore.serve();
    const statuses = new Set<number>();
    for (let id = 1; id <= animals; id += 20) statuses.add((await server.call(key, `/pets/${id}`)).status);
    expect(statuses).toEqual(new Set([200, 503]));
    await server.printed(/"reason":"\S+petstore\.db is damaged \(.+\): restore a backup","msg":"store unavailable"/);
  }
  await expectExit(65, petstore.run("backup copy.db"), {
    stderr: /^petstore-server: \/\S+petstore\.db is damaged \(.+\): restore a backup\n$/,
  });
  expect(readdirSync(petstore.directory).filter((name) => name.startsWith("copy"))).toEqual([]);
  await expectExit(1, petstore.run("doctor"), {
    stdout: /^problem: \/\S+petstore\.db is damaged \(.+\): restore a backup$/m,
  });
});
