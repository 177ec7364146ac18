import { join } from "node:path";
import { testStore } from "@petstore/service/conformance";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { onTestFinished } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";

testStore("SQLite", () => {
  const directory = temporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  return openSqliteStore(join(directory.path, "petstore.db"));
});
