import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKey, run, serve, settings, temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, test, vi } from "vitest";
import { createDatabase } from "./postgres-database.ts";

vi.setConfig({ testTimeout: 120_000 });

const animals = [-5, 1, 2, 3, 4].map((id) => `{"id":${id},"name":"Bella","categoryId":1,"status":"sold"}\n`);

test.each(["SQLite", "PostgreSQL"])(
  "0 for ids and for files of ids or animals on %s: a running server no longer shows them, and gives no id a second time",
  async (store) => {
    using directory = temporaryDirectory();
    await using database = await createDatabase();
    const environment = store === "SQLite" ? settings : { ...settings, PETSTORE_DATABASE_URL: database.url };
    const remove = (args: string[], input?: string) =>
      run(directory.path, ["remove", "pets", ...args], { environment, input });
    await run(directory.path, ["import", "pets", "-"], { environment, input: animals.join("") });
    const { stdout } = await run(directory.path, ["keys", "create", "--name", "x"], { environment });
    await using server = await serve(directory.path, { environment });

    expect(await remove(["--", "-5", "1"])).toMatchObject({ exitCode: 0, stderr: "2 pets removed.\n" });
    writeFileSync(join(directory.path, "some.ndjson"), `4\n\n${animals[3]}`);
    expect(await remove(["some.ndjson"])).toMatchObject({ exitCode: 0, stderr: "2 pets removed.\n" });
    expect((await server.call(stdout.trim(), "/pets")).text).toBe(`[${animals[2]?.trimEnd()}]`);
    expect(await remove(["-"], "2\n2\n")).toMatchObject({ exitCode: 0, stderr: "1 pets removed.\n" });
    expect((await server.call(stdout.trim(), "/pets")).text).toBe("[]");
    const created = await server.call(stdout.trim(), "/pets", '{"name":"Milo","categoryId":1}');
    expect(created.text).toContain('"id":5');
  },
);

test("65 for ids that no animal has and for bad lines, 2 for what is neither an id nor a file: nothing is removed", async () => {
  using directory = temporaryDirectory();
  const remove = (args: string[], input?: string) => run(directory.path, ["remove", "pets", ...args], { input });
  await createKey(directory.path);
  await run(directory.path, ["import", "pets", "-"], { input: animals.join("") });

  expect(await remove(["1", "9223372036854775807", "77"])).toMatchObject({
    exitCode: 65,
    stderr:
      "petstore-server: There is no animal with id 9223372036854775807.\nThere is no animal with id 77.\nNothing was removed.\n",
  });
  const integer = "must be an integer from -9223372036854775808 to 9223372036854775807";
  expect(await remove(["-"], '1\n{"id":"1"}\n[1]\n1.5\n')).toMatchObject({
    exitCode: 65,
    stderr: `petstore-server: standard input:2: id: ${integer}\nstandard input:3: line: must be an id, or a JSON object with one\nstandard input:4: id: ${integer}\nNothing was removed.\n`,
  });
  expect(await remove(["1", "x"])).toMatchObject({
    exitCode: 2,
    stderr: "petstore-server: x is not an id: give ids, or the name of one file\n",
  });
  expect((await remove(["missing.ndjson"])).exitCode).toBe(2);
  expect((await run(directory.path, ["export", "pets"])).stdout).toBe(animals.join(""));
});
