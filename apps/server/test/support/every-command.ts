import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import type { Petstore } from "./petstore.ts";
import { animal } from "./service-on-postgres.ts";

/** Uses an empty database with every kind of command, and with a server. */
export async function expectEveryCommandToWork(petstore: Petstore): Promise<void> {
  const year = new Date().getFullYear();
  const applied = new RegExp(
    `^1 {2}initial schema {2}applied at ${year}-\\S+Z\nThe schema is up to date\\.\n$`,
  );
  await expectExit(0, petstore.run("migrate"), { stdout: applied, stderr: "" });
  await expectExit(0, petstore.run("migrate --status"), { stdout: applied, stderr: "" });
  const apiKey = await petstore.createKey();
  {
    await using server = await petstore.serve();
    const once = { "Idempotency-Key": "once" };
    const create = () => server.call(apiKey, "/pets", JSON.stringify(animal), once);
    const created = await create();
    expect(created).toMatchObject({ status: 201, text: expect.stringContaining(animal.name) });
    const repeated = await create();
    expect(repeated).toMatchObject({ status: 201, text: created.text });
    expect(repeated.headers.get("Idempotent-Replayed")).toBe("true");
    const change = JSON.stringify({ name: String.raw`Tom \ 'O''Hara' ü` });
    const changed = await server.call(apiKey, "/pets/1", change, {}, "PATCH");
    expect(changed).toMatchObject({ status: 200, text: expect.stringContaining("O''Hara' ü") });
    expect(await server.call(apiKey, "/pets")).toMatchObject({
      status: 200,
      text: `[${changed.text}]`,
    });
    expect(await server.stop()).toMatchObject({ exitCode: 0 });
  }
  await expectExit(0, petstore.run("import orders -", '{"id":1,"note":"\\\\x"}\n'));
  await expectExit(0, petstore.run("export orders"), { stdout: '{"id":1,"note":"\\\\x"}\n' });
  await expectExit(0, petstore.run("doctor"), {
    stdout: /^(?:warning: .*\n|There is nothing to fix\.\n)$/,
    stderr: "",
  });
  const [id] = /key_\w+/.exec((await petstore.run("keys list")).stdout) ?? [];
  await expectExit(0, petstore.run(`keys revoke ${id}`), { stderr: `Revoked ${id}.\n` });
}
