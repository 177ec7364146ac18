import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startServer } from "@petstore/server/start-server";
import { expect, inject, test } from "vitest";

// A workflow runs this on Windows and macOS too.
test.for([
  ["import", 'import { createPetstoreClient } from "@petstore/client";', "module"],
  ["require", 'const { createPetstoreClient } = require("@petstore/client");', "commonjs"],
])(
  "the packed client creates and lists on this system, with %s",
  async ([, load = "", type = ""]) => {
    await using server = await startServer();
    const program = `${load}
    (async () => {
      const client = createPetstoreClient();
      await client.createPet({ name: "Grüße", categoryId: 1 });
      for await (const { id, name } of client.listPets()) console.log(JSON.stringify({ id, name }));
    })();`;
    const environment = { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: server.apiKey };
    const options = { cwd: inject("project"), env: environment };
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [`--input-type=${type}`, "--eval", program],
      options,
    );
    expect({ stdout, stderr }).toEqual({ stdout: '{"id":1,"name":"Grüße"}\n', stderr: "" });
  },
);
