import { INT64_MAX, INT64_MIN, type ErrorCode } from "@petstore/contract";
import { expect } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { testWithServer } from "../support/shared-server.ts";
import type { Call, TestResponse } from "../support/start-server.ts";

const sunset = Date.parse("2030-12-05T00:00:00Z");
const ids = [INT64_MIN, 0, 7, 2n ** 53n + 1n, INT64_MAX];

let now = 0;

const test = testWithServer({ now: () => now }, ({ store }) =>
  store.importPets(ids.map((id) => ({ id, name: "Rex", categoryId: 1, status: "sold" }))),
);

// The operation is not removed, whenever this runs.
test.beforeEach(() => void (now = sunset - 1));

function expectDeprecation({ headers }: TestResponse): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    deprecation: "@1795132800", // 2026-11-20T00:00:00Z
    sunset: "Thu, 05 Dec 2030 00:00:00 GMT",
    link: '<../pets>; rel="successor-version"',
  });
}

test("200 with the animal, the headers that announce the removal, and a Link that leads to the list", async ({
  server,
}) => {
  for (const id of ids) {
    const response = await server.call(`/pets/${id}`);
    expect([response.status, response.text]).toEqual([200, `{"id":${id},"name":"Rex","categoryId":1,"status":"sold"}`]);
    expectDeprecation(response);
    const reference = /^<(.*)>;/.exec(response.headers.get("Link") ?? "")?.[1] ?? "";
    expect(new URL(reference, `${server.url}/pets/${id}`).href).toBe(`${server.url}/pets`);
  }
});

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
    expectDeprecation(response);
    expect(server.calls).toStrictEqual(calls);
  },
);

test.for<[status: number, code: ErrorCode, when: string, at: number, call?: Call]>([
  [401, "invalid_api_key", "before the removal", sunset - 1, { apiKey: "wrong" }],
  [410, "operation_removed", "at the instant of the removal", sunset],
])("%i %s %s, with notice of it", async ([, code, , at, call = {}], { server }) => {
  now = at;
  const response = await server.call("/pets/7", call);
  expectError(response, code);
  expectDeprecation(response);
  expect(server.calls).toStrictEqual("apiKey" in call ? [] : ["findKey"]);
});
