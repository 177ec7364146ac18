import { join } from "node:path";
import { testStore } from "@petstore/service/conformance";
import { onTestFinished } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { temporaryDirectory } from "../../test/processes.ts";

testStore("SQLite", () => {
  const directory = temporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  return openSqliteStore(join(directory.path, "petstore.db"));
});
