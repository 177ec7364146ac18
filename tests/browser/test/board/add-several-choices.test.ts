import { expect, test } from "vitest";
import { expectFocus, expectShown } from "../visitor.ts";
import { startBoard, stored } from "./board.ts";
import { addButton, categoryNames, choose, previewOf, rowsField, view } from "./spreadsheet.ts";

const shelter = [
  "Animal ID,Animal Name,Animal Type,Outcome Type",
  "A1,Bella,DOG,Adoption",
  "A2,,Dog,Transfer",
  "A3,Max,Axolotl,Adopted",
  "A4,,Cat,Adoptable",
].join("\n");

test("what is not known blocks the button until the user chooses, and is remembered for the next file of that shape", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  await choose(page, "animals.csv", shelter);
  const type = page.getByLabel("Axolotl 1 row");
  await expectShown(type);
  await page.getByRole("button", { name: "Add 2 animals" }).press("Enter");
  await expectFocus(type);
  await type.selectOption("Other");
  await expectShown(
    page.locator(".sheet-counts").filter({ hasText: "3 new animals · 1 row left out" }),
  );
  await page.getByRole("button", { name: "Add 3 animals" }).click();
  await expectShown(page.getByText("3 animals were added."));
  expect((await stored(board)).map(([name]) => String(name)).toSorted()).toEqual([
    "A4",
    "Bella",
    "Max",
  ]);

  // The same file changes nothing. A new one of that shape asks nothing.
  await choose(page, "animals.csv", shelter);
  await expectShown(
    page.locator(".sheet-counts").filter({ hasText: "3 unchanged · 1 row left out" }),
  );
  expect(await addButton(page).count()).toBe(0);
  await choose(page, "next.csv", shelter.replace("Max,", "Mia,").replace("A4,", "A5,"));
  await expectShown(
    page.getByText("1 animal with a number of yours is not in the sheet any more."),
  );
  await page.getByLabel("Mark as adopted").check();
  expect(await page.locator(".sheet-choices").getAttribute("open")).toBeNull();
  await page.getByRole("button", { name: "Add 1, change 2" }).click();
  await expect
    .poll(async () =>
      (await stored(board))
        .map(([name, , status]) => `${String(name)} ${String(status)}`)
        .toSorted(),
    )
    .toEqual(["A4 sold", "A5 available", "Bella sold", "Mia sold"]);
});

const partly = "Animal ID,Name,Species,Status\nA1,Bella,Dog,Adopted\nA2,Max,Dog,\nA3,Mia,Dog,null";

test("an empty status beside others blocks the button until the user chooses, and the answer holds for animals that are there", async () => {
  await using board = await startBoard({ categoryNames });
  await board.server.store.importPets([
    { id: 1, name: "Mia", categoryId: 1, status: "sold", reference: "A3" },
  ]);
  const page = await board.open({ view });
  await choose(page, "animals.csv", partly);
  const empty = page.getByLabel("No value 2 rows");
  await expectShown(empty);
  await expectShown(page.getByText("There is no status.").first());
  await page.getByRole("button", { name: "Add 1 animal" }).press("Enter");
  await expectFocus(empty);
  await empty.selectOption("Reserved");
  await page.getByRole("button", { name: "Add 2, change 1" }).click();
  const all = async () =>
    (await stored(board)).map(([name, , status]) => `${String(name)} ${String(status)}`).toSorted();
  await expect.poll(all).toEqual(["Bella sold", "Max pending", "Mia pending"]);

  // The next file of that shape asks nothing.
  await choose(page, "next.csv", `${partly}\nA4,Leo,Dog,`);
  await page.getByRole("button", { name: "Add 1 animal", disabled: false }).click();
  await expect.poll(all).toEqual(["Bella sold", "Leo pending", "Max pending", "Mia pending"]);
});

test("a column of statuses without any asks nothing, and keeps what the animals have", async () => {
  await using board = await startBoard({ categoryNames });
  await board.server.store.importPets([
    { id: 1, name: "Mia", categoryId: 1, status: "sold", reference: "A3" },
  ]);
  const page = await board.open({ view });
  await choose(page, "animals.csv", "Animal ID,Name,Species,Status\nA2,Max,Dog,\nA3,Mia,Dog,");
  await expectShown(
    page.locator(".sheet-counts").filter({ hasText: /^1 new animal · 1 unchanged$/ }),
  );
  expect(await page.getByText("No value").count()).toBe(0);
  expect(await page.locator(".sheet-choices").getAttribute("open")).toBeNull();
  await page.getByRole("button", { name: "Add 1 animal", disabled: false }).click();
  await expect
    .poll(async () =>
      (await stored(board)).map(([name, , status]) => `${String(name)} ${String(status)}`),
    )
    .toEqual(["Mia sold", "Max available"]);
});

test("an unknown header and guesses are confirmed before anything can be sent", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  await choose(page, "animals.tsv", "Animal Name\tAge\nBella\t2\nMax\t1");
  await expectShown(page.locator(".sheet-choices[open]"));
  expect(await addButton(page).count()).toBe(0);
  await page
    .locator(".sheet-columns")
    .getByLabel("Category")
    .selectOption("The same for all animals");
  await page.getByLabel("All animals 2 rows").first().selectOption("Dogs");
  await expectShown(page.getByRole("button", { name: "Add 2 animals", disabled: false }));

  await choose(page, "latin.csv", Buffer.from("name;species\nMüller;dog\n", "latin1"));
  await expectShown(page.getByLabel("Encoding. Do these names look right? Müller"));
  const button = page.getByRole("button", { name: "Add 1 animal" });
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  await page.getByRole("button", { name: "These choices are right" }).click();
  await expect.poll(() => button.getAttribute("aria-disabled")).toBe("false");
});

test("decisions survive the confirmation of the columns, and lines stay where they are", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  await rowsField(page).fill("Bella\tDog\nMax\tDog\nMia\tCat\nLeo\tLion\nZoe\tElk");
  await page.getByLabel("All 2 unknown words").selectOption("Other");
  await page.getByLabel("Lion 1 row").selectOption("Cats");
  await page.getByRole("button", { name: "These choices are right" }).click();
  await page.getByLabel("Dog 2 rows").selectOption("Rabbits");
  expect(await page.locator(".sheet-values label bdi").allInnerTexts()).toEqual([
    "Dog",
    "Cat",
    "Lion",
    "Elk",
  ]);
  const categories = (await previewOf(page)).map(([, , category]) => category);
  expect(categories.join()).toBe("Rabbits,Rabbits,Cats,Cats,Other");
});
