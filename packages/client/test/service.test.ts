import { describe } from "vitest";
import { describeCreation } from "./service-animals.ts";
import { describeAuthentication, describeHttp, describeOne } from "./service-http.ts";
import { describeLists } from "./service-lists.ts";
import { startFake, startReal, type StartService } from "./service.ts";

// What the fake is worth: it does all that the real service must do, told by the same tests.
describe.each<[string, StartService]>([
  ["the real service", startReal],
  ["the fake", startFake],
])("%s", (_name, start) => {
  describe("lists", () => {
    describeLists(start);
  });
  describe("creation", () => {
    describeCreation(start);
  });
  describe("one animal", () => {
    describeOne(start);
  });
  describe("authentication", () => {
    describeAuthentication(start);
  });
  describe("any request", () => {
    describeHttp(start);
  });
});
