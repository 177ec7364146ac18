import { expect, test } from "vitest";
import { expectFocus, expectShown } from "../visitor.ts";
import { expectCount, forward, keysOf, lose, only, startBoard } from "./board.ts";

const isDelete = ({ method }: { method: string }): boolean => method === "DELETE";

test("an animal is removed after a second press, once, even if the response is lost", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^net::ERR_CONNECTION_RESET DELETE/);
  board.proxy.treat = only(isDelete, lose);
  const page = await board.open({ view: "?pet=2", hasClock: true });
  await page.getByRole("button", { name: "Remove" }).click();
  const question = page.getByRole("alertdialog", { name: "Remove this animal for good?" });
  await expectFocus(question.getByRole("button", { name: "Cancel" }));
  await page.keyboard.press("Enter");
  expect(await board.server.store.getPet(2)).toBeDefined();
  await page.getByRole("button", { name: "Remove" }).click();
  await question.getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => board.proxy.requests.filter(isDelete).length).toBeGreaterThan(0);
  board.proxy.treat = forward;
  await page.reload();
  await expectShown(page.getByText("Animal 2 was removed."));
  await expectCount(page, "2 animals");
  expect(await board.server.store.getPet(2)).toBeUndefined();
  expect(await board.server.store.listChanges(2)).toHaveLength(1);
  expect(keysOf(board, isDelete)).toHaveLength(1);
});

test("an animal that someone else has reserved meanwhile is not removed, and the board says so", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^409 DELETE/);
  const page = await board.open({ view: "?pet=2" });
  await page.getByRole("button", { name: "Remove" }).click();
  await board.server.store.updatePet(2, { status: "pending" });
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expectShown(page.getByText("Animal 2: removal"));
  await expectShown(page.getByText("Someone else changed it first: it is now Reserved."));
  expect(await board.server.store.getPet(2)).toMatchObject({ status: "pending" });
});

test("a key that may no longer remove animals loses that removal alone, and has no button for another", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^403 DELETE/);
  const scopes = { status: 403, headers: { "Content-Type": "application/json", "Key-Scopes": "read, write" } };
  const body = JSON.stringify({ code: "insufficient_scope", message: "no", status: 403 });
  board.proxy.treat = only(isDelete, () => ({ ...scopes, body }));
  const page = await board.open({ view: "?pet=2" });
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expectShown(page.getByText("The service rejected it."));
  await page.getByRole("button", { name: "Reserve: Animal 3" }).click();
  await expect.poll(() => board.server.store.getPet(3)).toMatchObject({ status: "pending" });
  expect(await board.server.store.getPet(2)).toBeDefined();

  const { secret } = await board.server.issueKey({ scopes: ["read", "write"] });
  const other = await board.open({ apiKey: secret, view: "?pet=2" });
  await expectShown(other.getByRole("button", { name: "Edit" }));
  expect(await other.getByRole("button", { name: "Remove" }).count()).toBe(0);
});
