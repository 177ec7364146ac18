import { expect } from "vitest";
import { test } from "./fixtures.ts";
import { petstore, petstoreOnScreen, petstoreProcess } from "./petstore.ts";
import { longKey } from "./saved-settings.ts";

const create = ["pets", "create", "--dry-run", "--name", "\u202eRex", "--category-id", "9223372036854775807"];
const apiKey = longKey("any");
const noServer = { url: "https://petstore.invalid/v1", apiKey };

test("0: pets create --dry-run prints the request, and needs no server", async () => {
  const { exitCode, stdout, stderr } = await petstoreProcess([...create, "--idempotency-key", "key-1"], {
    server: noServer,
  });
  expect([exitCode, stderr]).toEqual([0, ""]);
  const headers = {
    authorization: "Bearer pst_test_…0any",
    "content-type": "application/json",
    "idempotency-key": "key-1",
    "user-agent": "petstore-cli/0.0.0 petstore-client/0.0.0",
  };
  const head = { method: "POST", url: "https://petstore.invalid/v1/pets", headers };
  const body = String.raw`{"name":"\u202eRex","categoryId":9223372036854775807}`;
  expect(stdout).toBe(`${JSON.stringify(head).slice(0, -1)},"body":${body}}\n`);
});

test.for([80, 40])("0: on a terminal of %i columns, it is like an HTTP request", async (columns) => {
  const args = [...create, "--status", "sold", "--idempotency-key", "key-1"];
  const shown = await petstoreOnScreen(args, { server: noServer, columns });
  const body = String.raw`{"name":"\u202eRex","categoryId":9223372036854775807,"status":"sold"}`;
  expect(shown.screen().join("")).toBe(
    [
      "POST https://petstore.invalid/v1/pets",
      "authorization: Bearer pst_test_…0any",
      "content-type: application/json",
      "idempotency-key: key-1",
      "user-agent: petstore-cli/0.0.0 petstore-client/0.0.0",
      body,
    ].join(""),
  );
});

test("0: nothing is sent, and the body can be filtered", async ({ server }) => {
  const { exitCode, stdout } = await petstore([...create, "--jq", ".body.categoryId"], { server });
  expect([exitCode, stdout]).toEqual([0, "9223372036854775807\n"]);
  expect(server.logs).toEqual([]);
});

test.for<[exitCode: number, args: string[], message: string]>([
  [2, ["--name", ""], "error: --name must be"],
  [2, ["--idempotency-key", "\u00e9"], "error: --idempotency-key must be"],
  [2, ["--timeout", "soon"], "timeout (flag --timeout) must be"],
  [2, ["--json", "id"], "cannot be used with"],
  [2, ["--profile", "other"], "There is no profile other"],
])("%i: it checks what a real call checks: %j", async ([exitCode, args, message]) => {
  const [flag = "", value = ""] = args;
  // A flag that is given twice would be rejected for that.
  const line = create.includes(flag) ? create.with(create.indexOf(flag) + 1, value) : [...create, ...args];
  const ended = await petstore(line, { server: noServer });
  expect(ended).toMatchObject({ exitCode, stdout: "", stderr: expect.stringContaining(message) as string });
});
