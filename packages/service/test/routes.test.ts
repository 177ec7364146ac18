import { expect, test } from "vitest";
import { findRoute, paramsOf } from "../src/index.ts";

test.for([
  ["/v1/pets", "/pets", {}],
  ["/v1/store/orders", "/store/orders", {}],
  ["/v1/pets/1", "/pets/:petId", { petId: "1" }],
  ["/v1/pets/1%2F1", "/pets/:petId", { petId: "1/1" }],
  ["/v1/pets/%ff", "/pets/:petId", { petId: "%ff" }],
  ["/v1/pets/__proto__", "/pets/:petId", { petId: "__proto__" }],
] as const)("%s matches the route %s with %j", ([path, expected, params]) => {
  const route = findRoute(path);
  expect(route?.path).toBe(expected);
  expect(route && paramsOf(route, path)).toStrictEqual(params);
});

test("any other path matches no route: neither another spelling of one, nor one without its version", () => {
  const paths =
    " / /pets/ /Pets //pets /pets//1 /pets/1/toys /%70ets /pets%2F1 /store /constructor /pets?x".split(
      " ",
    );
  const unknown = [
    ...paths.map((path) => `/v1${path}`),
    "",
    "/",
    "/pets",
    "/v2/pets",
    "/x/v1/pets",
  ];
  expect(unknown.filter((path) => findRoute(path) !== undefined)).toEqual([]);
});
