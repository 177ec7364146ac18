import { startServer, type TestServer } from "@petstore/server/start-server";
import { describe, expect, test } from "vitest";
import type { Tab } from "./engine.ts";
import { engines } from "./engines.ts";
import { faults } from "./faults.ts";

async function startWith(animals: number): Promise<TestServer> {
  const categoryNames = new Map([
    ["7", "Dogs"],
    ["8", "Écureuils"],
  ]);
  const server = await startServer({ categoryNames });
  const pets = Array.from({ length: animals }, (_, index) => index + 1);
  await server.store.importPets(
    pets.map((id) => ({ id, name: `Animal ${id}`, categoryId: id, status: "available" })),
  );
  return server;
}

/** A phone, a tablet and a computer, and windows in which a dialog must scroll. */
const sizes = [
  [390, 844],
  [390, 500],
  [768, 844],
  [1440, 500],
] as const;

const boardOf = ({ url }: TestServer) => new URL("/", url).href;

/** Opens the board, and signs in as a person does. */
async function signIn(tab: Tab, server: TestServer): Promise<void> {
  await tab.open(boardOf(server));
  await tab.fill("#api-key", server.apiKey);
  await tab.click("button", "Sign in");
  await expectText(tab, "h1", "Available");
}

/** Runs in the page. */
const textOf = (selector: string) =>
  [...document.querySelectorAll(selector)].map((element) => element.textContent).join("\n");

async function expectText(tab: Tab, selector: string, text: string): Promise<void> {
  await expect.poll(() => tab.run(textOf, selector)).toContain(text);
}

const valueOf = (tab: Tab, selector: string) =>
  tab.run((field) => document.querySelector<HTMLInputElement>(field)?.value, selector);

async function expectStored(server: TestServer, expected: object): Promise<void> {
  const { body } = await server.call("/pets");
  expect(body).toContainEqual(expect.objectContaining(expected));
}

describe.each(engines)("the board in %s", (_, openTab) => {
  test("an animal is added, renamed, moved to a category by the beginning of its name, and reserved", async () => {
    await using server = await startWith(2);
    await using tab = await openTab();
    await tab.resize(1440, 844);
    await signIn(tab, server);

    await tab.click("button", "Add animals");
    await tab.fill("dialog [name=name]", "Bella");
    await tab.fill("dialog [name=categoryId]", "7");
    await tab.click("dialog [type=submit]");
    await expectText(tab, "[role=status]", "Bella was added as #3.");
    await expectStored(server, { id: 3, name: "Bella", categoryId: 7, status: "available" });

    await tab.click("a.pet-link", "Bella");
    await tab.click("dialog button", "Edit");
    expect(await valueOf(tab, "dialog [name=categoryId]")).toBe("Dogs");
    await tab.fill("dialog [name=categoryId]", "ecu");
    await tab.fill("dialog [name=name]", "Luna");
    await tab.press("Enter");
    await expectText(tab, "[role=status]", "Luna was saved.");
    await expectText(tab, "dialog dd", "Écureuils");
    await expectStored(server, { id: 3, name: "Luna", categoryId: 8 });
    await tab.press("Escape");
    await expect.poll(() => tab.run(() => document.querySelector("dialog") === null)).toBe(true);

    await tab.click("button", "Reserve: Luna");
    await expectText(tab, "[role=status]", "Luna is now Reserved.");
    await expectStored(server, { id: 3, status: "pending" });

    expect(await tab.errors()).toEqual([]);
  });

  test("all of 321 animals are printed", async () => {
    await using server = await startWith(321);
    await using tab = await openTab();
    await signIn(tab, server);
    await expectText(tab, "[role=status]", "321 animals");
    await tab.run(() =>
      // After the board, which listens already.
      addEventListener("beforeprint", () => {
        const names = [...document.querySelectorAll("#paper tbody td:first-child")].map(
          (cell) => cell.textContent,
        );
        Object.assign(globalThis, { printed: names });
      }),
    );
    await tab.print();
    const printed = await tab.run(() => (globalThis as unknown as { printed: string[] }).printed);
    expect(printed).toEqual([...Array(321).keys()].map((index) => `Animal ${321 - index}`));
    expect(await tab.errors()).toEqual([]);
  });

  test.each([
    ["?add=one", "dialog [name=name]", "Bella"],
    ["?add=several", "dialog [name=rows]", `name,category\n${"Bella,7\n".repeat(12)}`],
    ["?pet=30", "dialog dd", undefined],
  ])(
    "every column of %s scrolls, and every field and button of it can be seen and clicked, on a phone, a tablet and a computer",
    async (view, content, entered) => {
      await using server = await startWith(60);
      await using tab = await openTab();
      await signIn(tab, server);
      await tab.open(boardOf(server) + view);
      await expectText(tab, "dialog h2", view.startsWith("?add") ? "Add animals" : "Animal 30");
      if (entered !== undefined) await tab.fill(content, entered);
      for (const [width, height] of sizes) {
        await tab.resize(width, height);
        await expect.poll(() => tab.run(faults), { message: `${width} x ${height}` }).toEqual([]);
      }
      expect(await tab.errors()).toEqual([]);
    },
  );
});
