import { INT64_MIN } from "@petstore/contract";
import { expect } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { testWithServer } from "../support/shared-server.ts";

const sunset = Date.parse("2030-12-05T00:00:00Z");
const ids = [INT64_MIN, 7];

const test = testWithServer({ now: () => sunset - 1 }, ({ store }) =>
  store.importPets(ids.map((id) => ({ id, name: "Rex", categoryId: 1, status: "sold" }))),
);

// That every response announces the removal, and 410 after it, is tested with the statuses of all
// operations.
test.for(ids)(
  "200 for %s with the animal, and a Link to the list that replaces the operation",
  async (id, { server }) => {
    const { status, text, headers } = await server.call(`/pets/${id}`);
    expect([status, text]).toEqual([
      200,
      `{"id":${id},"name":"Rex","categoryId":1,"status":"sold"}`,
    ]);
    expect(headers.get("Link")).toBe('<../pets>; rel="successor-version"');
  },
);

// Which text is an id is tested in the service. These depend on how a path is read.
const otherText = "%2B7 % 7%2F.. __proto__";

test.for<readonly [what: string, id: string, calls?: readonly string[]]>([
  ["2", "2", ["findKey", "getPet"]],
  ...otherText.split(" ").map((id) => [id, id] as const),
])(
  "404 pet_not_found for %s, without a store call unless it is an id",
  async ([, id, calls = ["findKey"]], { server }) => {
    const response = await server.call(`/pets/${id}`);
    expectError(response, "pet_not_found");
    expect(server.calls).toStrictEqual(calls);
  },
);
