import { once } from "node:events";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { resolveTool } from "@petstore/test-kit/tools";

interface Verdaccio {
  runServer: (configuration: object) => Promise<Server>;
}

/** A registry for npm packages, empty at first, in which everybody may publish. */
export async function startRegistry(directory: string) {
  const { runServer } = createRequire(import.meta.url)(resolveTool("verdaccio")) as Verdaccio;
  const everybody = { access: "$all", publish: "$all" };
  const server = await runServer({
    self_path: join(directory, "verdaccio.yaml"), // of the configuration that this one replaces: names the directory of its files
    storage: join(directory, "storage"),
    packages: { "**": everybody },
    web: { enable: false },
    log: { type: "stdout", format: "pretty", level: "error" },
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
