import type { Outcome, ProxiedRequest } from "@petstore/test-servers/proxy";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectGone, expectShown } from "../visitor.ts";
import {
  batchesOf,
  cut,
  forward,
  hold,
  isBatch,
  keysOf,
  lose,
  only,
  postsOf,
  startBoard,
  stored,
  type Board,
} from "./board.ts";
import { addButton, choose, paste, rows, view } from "./spreadsheet.ts";

/** Sends three animals of a file, which needs no clock, with one press. */
async function addThree(
  page: Page,
  names: readonly string[] = ["Bella", "Max", "Mia"],
): Promise<void> {
  await choose(
    page,
    "animals.csv",
    `Name,Category\n${names.map((name) => `${name},7\n`).join("")}`,
  );
  await addButton(page).click();
}

const namesOf = async (board: Board): Promise<string[]> =>
  (await stored(board)).map(([name]) => String(name)).toSorted();

const response =
  (status: number, body: unknown, headers = {}) =>
  (): Outcome => ({
    status,
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** A response in the form of the service. */
const answer = (status: number, code: string) => response(status, { status, code, message: code });

const onBatches = (treatment: (request: ProxiedRequest) => Outcome | Promise<Outcome>) =>
  only(isBatch, treatment);

test("200 for animals that wait together: one request, with a key for each of them, and one report", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  await addThree(page);
  await expectShown(page.getByText("3 animals were added."));
  expect(await namesOf(board)).toEqual(["Bella", "Max", "Mia"]);
  expect(postsOf(board).map(({ target }) => target)).toEqual([
    expect.stringMatching(/\/v1\/pet-batches$/),
  ]);
  expect(keysOf(board)).toHaveLength(3);
});

test("201 for an animal that waits alone: no batch", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  await paste(page, "Bella\t7", /^1 new animal$/);
  await addButton(page).click();
  await expectShown(page.getByText(/^Bella was added as/));
  expect(batchesOf(board)).toEqual([]);
});

test("200 for 1,402 animals with one press: they are sent, kept and reported together", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  await choose(page, "animals.tsv", `Name\tCategory\n${rows(1_402)}`);
  await page.evaluate(() => {
    const counted = Object.assign(globalThis, { writesKept: 0 });
    const setItem = Reflect.get(Storage.prototype, "setItem");
    Storage.prototype.setItem = function (name, item) {
      if (name.startsWith("petstore-outbox")) counted.writesKept += 1;
      setItem.call(this, name, item);
    };
  });
  await page.getByRole("button", { name: "Add 1,402 animals" }).click();
  await expectShown(page.getByText("1,402 animals were added."));
  const kept = await page.evaluate(() => Reflect.get(globalThis, "writesKept") as number);
  expect(postsOf(board)).toHaveLength(15);
  expect(await board.server.store.listPets({ limit: 2_000 })).toHaveLength(1_402);
  // Once when they are entered, and once when the first are sent. After that, once for each
  // response.
  expect(kept).toBeLessThanOrEqual(2 + 15);
});

test("409 for the number of one of three: it stays with its reason, and the others are added", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  board.proxy.treat = onBatches(async (request) => {
    await board.server.store.importPets([
      { id: 9, name: "Otis", categoryId: 1, status: "sold", reference: "A2" },
    ]);
    return await request.forward();
  });
  await paste(page, "name,category,your number\nBella,7,A1\nMax,7,A2\nMia,7,A3", /^3 new animals$/);
  await addButton(page).click();
  await expectShown(page.getByRole("alert").getByText(/Another animal has this number/));
  await expectShown(page.getByText("2 animals were added."));
  expect(await namesOf(board)).toEqual(["Bella", "Mia", "Otis"]);
  expect(postsOf(board)).toHaveLength(1);
});

/** Replaces the result of the last animal, which is not stored. */
const failLast = (status: number, code: string) =>
  onBatches(async (request) => {
    const body = JSON.parse(request.body) as { pets: unknown[] };
    const results = body.pets.slice(0, -1).map((pet, index) => ({
      status: 201,
      pet: { id: index + 1, status: "available", ...(pet as { name: string; categoryId: number }) },
    }));
    return response(200, [...results, { status, error: { status, code, message: code } }], {
      "X-Request-Id": "batch-1",
    })();
  });

test.each([
  [400, "invalid_request"],
  [422, "idempotency_key_reused"],
])(
  "%i for the last of three: it stays, with the id of the request, and the report counts two",
  async (...last) => {
    await using board = await startBoard();
    const page = await board.open({ view });
    board.proxy.treat = failLast(...last);
    await addThree(page);
    await expectShown(page.getByRole("alert").getByText("The service rejected it."));
    await expectShown(page.locator(".request-id").getByText("batch-1"));
    await expectShown(page.getByText("2 animals were added."));
    await page.getByRole("dialog").getByRole("button", { name: "Edit" }).click();
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Mia");
    expect(postsOf(board)).toHaveLength(1);
  },
);

test("500 for the last of three: it alone is sent again, with its key", async () => {
  await using board = await startBoard();
  const page = await board.open({ view, hasClock: true });
  board.proxy.treat = failLast(500, "internal_error");
  await addThree(page);
  await expectShown(page.getByText(/^The service failed\./));
  board.proxy.treat = forward;
  await expectShownInTime(page.getByText("3 animals were added."));
  expect(await namesOf(board)).toEqual(["Mia"]);
  expect(keysOf(board)).toHaveLength(3);
});

describe.each([
  ["the page stays", false],
  ["the page is loaded again", true],
])("while %s", (_, isReloaded) => {
  test.each([
    ["200, but the response is lost", lose],
    ["no response", cut],
    ["429 from the service", answer(429, "rate_limited")],
    ["503 from the service", answer(503, "unavailable")],
    ["502 from a proxy", response(502, "<h1>Bad Gateway</h1>")],
    ["409 because another attempt is in progress", answer(409, "idempotency_in_progress")],
  ])(
    "%s: all of a batch wait, are sent again with their keys, and are stored once",
    async (_name, fault) => {
      await using board = await startBoard();
      board.expectFailures(/^\S+ POST/);
      const page = await board.open({ view, hasClock: true });
      page.on("dialog", (dialog) => void dialog.accept());
      board.proxy.treat = onBatches(fault);
      await addThree(page);
      await expectShown(page.getByText("3 not saved").first());
      await expectShown(page.getByRole("button", { name: "Try again" }).first());
      board.proxy.treat = forward;
      if (isReloaded) await page.reload();
      await expectShownInTime(page.getByText("3 animals were added."));
      expect(await namesOf(board)).toEqual(["Bella", "Max", "Mia"]);
      // Always the same request. Chromium itself repeats one whose connection broke.
      expect(new Set(postsOf(board).map(({ target, body }) => `${target} ${body}`)).size).toBe(1);
      expect(keysOf(board)).toHaveLength(3);
    },
  );
});

test.each([
  [401, "invalid_api_key", "Your key no longer works"],
  [403, "insufficient_scope", "Your key does not allow this"],
])("%i %s for a batch: all of it waits for another key", async (status, code, heading) => {
  await using board = await startBoard();
  board.expectFailures(/^\S+ POST/);
  const page = await board.open({ view });
  board.proxy.treat = onBatches(answer(status, code));
  await addThree(page);
  await expectShown(page.getByText(heading));
  await expectShown(page.getByRole("button", { name: "3 not saved" }));
  expect(postsOf(board)).toHaveLength(1);
  expect(await namesOf(board)).toEqual([]);
});

test.each([
  ["404 from an older service", answer(404, "route_not_found")],
  ["400 from the service", answer(400, "invalid_request")],
  ["413 from the service", answer(413, "body_too_large")],
  ["422 from the service", answer(422, "idempotency_key_reused")],
  ["302 from a proxy", response(302, "", { Location: "/large" })],
  ["404 from a proxy", response(404, "<h1>Not Found</h1>")],
  ["405 from a proxy", response(405, "")],
  ["413 from a proxy", response(413, "<h1>Request Entity Too Large</h1>")],
  ["403 from a filter", response(403, "<h1>Blocked</h1>")],
  ["200 from a network that wants a sign-in", response(200, "<h1>Wi-Fi</h1>")],
  ["200 without a result for each animal", response(200, [])],
])(
  "%s for a batch rejects no animal: each is sent alone, from then on in this session",
  async (_, fault) => {
    await using board = await startBoard();
    board.expectFailures(/^\S+ POST/);
    const page = await board.open({ view });
    board.proxy.treat = onBatches(fault);
    await addThree(page);
    await expectShown(page.getByText("3 animals were added."));
    await addThree(page, ["Leo", "Zoe", "Rex"]);
    await expect.poll(() => namesOf(board)).toEqual(["Bella", "Leo", "Max", "Mia", "Rex", "Zoe"]);
    await expectGone(page.getByRole("alert"));
    expect(batchesOf(board)).toHaveLength(1);
    expect(keysOf(board)).toHaveLength(6);
  },
);

test("500 for a batch: after a pause each animal is sent alone, so that one of them cannot hold up the others", async () => {
  await using board = await startBoard();
  board.expectFailures(/^500 POST/);
  const page = await board.open({ view, hasClock: true });
  board.proxy.treat = onBatches(answer(500, "internal_error"));
  await addThree(page);
  await expectShown(page.getByText(/^The service failed\./));
  await expectShownInTime(page.getByText("3 animals were added."));
  expect(batchesOf(board)).toHaveLength(1);
});

test("Stop says how many were added and how many were not sent, while batches are in progress and after them", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  await paste(page, rows(1_001), /^1,001 new animals$/);
  const release = hold(board, (request) => isBatch(request) && batchesOf(board).length > 1);
  await page.getByRole("button", { name: "Add 1,001 animals" }).click();
  await expectShown(page.getByText("Saving 901 changes…").first());
  await page.getByRole("button", { name: "Stop" }).click();
  await expectShown(page.getByText("100 animals were added. 501 animals were not sent."));
  await expectShown(page.getByText("Saving 400 changes…").first());
  release();
  await expectShown(page.getByText("500 animals were added. 501 animals were not sent."));
  expect(await board.server.store.listPets({ limit: 2_000 })).toHaveLength(500);
});

test("what was stopped is offered again, and the next report does not count it", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  const text = rows(501);
  await paste(page, text, /^501 new animals$/);
  const release = hold(board, isBatch);
  await addButton(page).click();
  await expect.poll(() => batchesOf(board).length).toBe(4);
  await page.getByRole("button", { name: "Stop" }).click();
  release();
  await expectShown(page.getByText("400 animals were added. 101 animals were not sent."));
  await paste(page, text, /^101 new animals$/);
  await page.getByRole("button", { name: "Add 101 animals" }).click();
  await expectShown(page.getByText("101 animals were added.", { exact: true }));
});

test("201 once for what the version before batches has left, with its keys", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  const pets = ["Bella", "Max", "Mia"].map((name) => ({
    name,
    categoryId: 7,
    status: "available",
  }));
  const headers = { "Idempotency-Key": "1-0-0-0" };
  await board.server.call("/pets", { method: "POST", headers, body: pets[0] });
  const left = pets.map(({ name, status }, index) => ({
    add: { name, categoryId: "7", status, reference: "" },
    key: `${index + 1}-0-0-0`,
    state: "waiting",
    ...(index === 0 && { sentAt: Date.now(), sentWith: board.server.apiKey.slice(-6) }),
  }));
  await page.evaluate((writes) => {
    addEventListener("pagehide", () =>
      sessionStorage.setItem("petstore-outbox", JSON.stringify(writes)),
    );
  }, left);
  await page.reload();
  await expectShown(page.getByText("3 animals were added."));
  expect(await namesOf(board)).toEqual(["Bella", "Max", "Mia"]);
  expect(keysOf(board)).toEqual(["1-0-0-0", "2-0-0-0", "3-0-0-0"]);
});
