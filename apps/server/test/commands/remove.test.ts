import { writeFileSync } from "node:fs";
import { expectExit } from "@petstore/test-servers/processes";
import { test } from "../support/petstore.ts";

const animals = [-5, 1, 2, 3, 4].map((id) => `{"id":${id},"name":"Bella","categoryId":1,"status":"sold"}\n`);

test.for(["SQLite", "PostgreSQL"])(
  "0 for ids and for files of ids or animals on %s, and none of the ids is reused",
  async (name, { petstore: file, onPostgres }) => {
    const petstore = name === "SQLite" ? file : onPostgres;
    await petstore.run("import pets -", animals.join(""));
    await expectExit(0, petstore.run("remove pets -- -5 1"), { stderr: "2 pets removed.\n" });
    writeFileSync(petstore.path("some.ndjson"), `4\n\n${animals[3]}`);
    await expectExit(0, petstore.run("remove pets some.ndjson"), { stderr: "2 pets removed.\n" });
    await expectExit(0, petstore.run("export pets"), { stdout: animals[2] ?? "" });
    await expectExit(0, petstore.run("remove pets -", "2\n2\n"), { stderr: "1 pets removed.\n" });
    await expectExit(0, petstore.run("export pets"), { stdout: "" });
  },
);

const integer = "must be an integer from -9223372036854775808 to 9223372036854775807";

test("65 for unknown ids and bad lines, 2 without an id or a file: nothing is removed", async ({ petstore }) => {
  await petstore.run("import pets -", animals.join(""));
  await expectExit(65, petstore.run("remove pets 1 9223372036854775807 77"), {
    stderr:
      "petstore-server: There is no animal with id 9223372036854775807.\nThere is no animal with id 77.\nNothing was removed.\n",
  });
  await expectExit(65, petstore.run("remove pets -", '1\n{"id":"1"}\n[1]\n1.5\n'), {
    stderr: `petstore-server: standard input:2: id: ${integer}\nstandard input:3: line: must be an id, or a JSON object with one\nstandard input:4: id: ${integer}\nNothing was removed.\n`,
  });
  await expectExit(2, petstore.run("remove pets 1 x"), {
    stderr: "petstore-server: x is not an id: give ids, or the name of one file\n",
  });
  await expectExit(2, petstore.run("remove pets missing.ndjson"));
  await expectExit(0, petstore.run("export pets"), { stdout: animals.join("") });
});
