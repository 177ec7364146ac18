import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown, untilDrawn } from "../visitor.ts";
import { fill, openForm } from "./add-form.ts";
import { expectCount, hold, isBatch, keysOf, startBoard, type Board } from "./board.ts";
import { addButton, categoryNames, choose, view } from "./spreadsheet.ts";

// The number that an animal has in the shelter's own program, on its cage or on its chip.

const chip = "276098106123456";

type Status = "available" | "sold";

/** Stores animals with numbers. An empty number is none. */
async function give(
  { server }: Board,
  ...animals: [name: string, number: string, status?: Status][]
): Promise<void> {
  await server.store.importPets(
    animals.map(([name, reference, status = "available"], at) => ({
      id: at + 1,
      name,
      categoryId: 1,
      status,
      ...(reference !== "" && { reference }),
    })),
  );
}

/**
 * What the service has: names, numbers and statuses, by number. The board sends several animals at
 * a time, so their ids have no order.
 */
async function all({ server }: Board): Promise<string[]> {
  const { body } = await server.call("/pets?limit=100");
  const pets = body as { name: string; reference?: string; status: string }[];
  return pets
    .map(({ name, reference = "-", status }) => ({
      reference,
      text: `${name} ${reference} ${status}`,
    }))
    .toSorted((one, other) => one.reference.localeCompare(other.reference, "en"))
    .map(({ text }) => text);
}

/** What a scanner types: the number at once, and Enter. */
async function scan(page: Page, number: string): Promise<void> {
  await page.keyboard.type(number);
  await page.keyboard.press("Enter");
}

const details = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });

test("a scan opens the animal with exactly this number in whatever list it is, and the next one the next animal", async () => {
  await using board = await startBoard();
  await give(board, ["Bella", `${chip}7`], ["Max", chip, "sold"], ["Mia", "2"], [chip, "3"]);
  const page = await board.open();
  await expectCount(page, "3 animals");
  await page.getByRole("searchbox").focus();
  await scan(page, ` ${chip} `);
  await expectShown(details(page, "Max"));
  await expectShown(details(page, "Max").getByText(chip, { exact: true }));
  await expectShown(page.getByRole("link", { name: "Max #2 Category 1 Adopted" }));
  await expectFocus(page.getByRole("searchbox"));

  await scan(page, "2"); // the id of Max, too
  await expectShown(details(page, "Mia"));
  await expect.poll(() => new URL(page.url()).search).toBe("?status=all&search=2&pet=3");
  await page.goBack();
  await expectGone(page.getByRole("dialog"));
});

test("a part of a number opens its animal if the search finds nothing else, and Enter goes to the list if it does", async () => {
  await using board = await startBoard();
  await give(board, ["Bella", `north-${chip}`], ["Max", "north-1"], ["Mia", "south-1"]);
  const page = await board.open();
  await expectCount(page, "3 animals");
  await page.getByRole("searchbox").focus();
  await scan(page, chip);
  await expectShown(details(page, "Bella"));
  await scan(page, "h-1");
  await expectFocus(page.getByRole("link", { name: /^Mia/ }));
});

/** Opens a board with Bella and Max, and Bella by a scan. */
async function openByScan(board: Board): Promise<Page> {
  await give(board, ["Bella", chip], ["Max", "2"]);
  const page = await board.open();
  await expectCount(page, "2 animals");
  await page.getByRole("searchbox").focus();
  await scan(page, chip);
  await expectShown(details(page, "Bella"));
  return page;
}

test("a scan of an unknown number opens nothing, says so, and closes the details of another animal", async () => {
  await using board = await startBoard();
  const page = await openByScan(board);
  await scan(page, "276098106999999");
  await expectShown(page.getByRole("heading", { name: "Nothing found here." }));
  await expectGone(page.getByRole("dialog"));
  await scan(page, chip);
  await expectShown(details(page, "Bella"));
});

test("a scan right after one of an unknown number goes on in the search while the details close", async () => {
  await using board = await startBoard();
  const page = await openByScan(board);
  await page.keyboard.type("unknown");
  // The first digit finds both animals, before anything is drawn.
  await page.getByRole("searchbox").evaluate((field: HTMLInputElement) => {
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    field.value = "2";
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await expectGone(page.getByRole("dialog"));
  await untilDrawn(page);
  await expectFocus(page.getByRole("searchbox"));
});

test("a scan while the list is being loaded opens the animal once it is there", async () => {
  await using board = await startBoard();
  await give(
    board,
    ...Array.from({ length: 150 }, (_, at): [string, string] => [`Animal ${at + 1}`, `N${at + 1}`]),
  );
  const release = hold(board, ({ target }) => target.includes("cursor="));
  const page = await board.open();
  await expectShown(page.getByRole("link", { name: /^Animal 100 / }));
  await page.getByRole("searchbox").focus();
  await scan(page, "N150");
  expect(await page.getByRole("dialog").count()).toBe(0);
  release();
  await expectShown(details(page, "Animal 150"));
});

test("409 for a number that another animal has: says so, with a link to it, and Edit brings the animal back", async () => {
  await using board = await startBoard();
  board.expectFailures(/^409 POST/);
  await give(board, ["Bella", chip]);
  const page = await board.open();
  await expectCount(page, "1 animal");
  const form = await openForm(page);
  await fill(form, "Max", "7");
  await form.dialog.getByRole("textbox", { name: "Your number" }).fill(chip);
  await form.submit.click();
  await expectShown(page.getByText("Another animal has this number:"));
  await page.locator(".messages").getByRole("link", { name: "#1" }).click();
  await expectShown(details(page, "Bella"));
  await page.locator(".messages").getByRole("button", { name: "Edit" }).click();
  await form.dialog.getByRole("textbox", { name: "Your number" }).fill("");
  await form.submit.click();
  await expect.poll(() => all(board)).toEqual(["Max - available", `Bella ${chip} available`]);
});

test("200 for a number that is changed, and then cleared", async () => {
  await using board = await startBoard();
  await give(board, ["Bella", chip]);
  const page = await board.open({ view: "?pet=1" });
  for (const number of ["A1", ""]) {
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Your number" }).fill(number);
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => all(board)).toEqual([`Bella ${number || "-"} available`]);
    await expectShown(page.getByRole("button", { name: "Edit" }));
  }
  await expectGone(details(page, "Bella").getByText("Your number"));
});

const weeks = ["A1,Bella,Dog,Adoptable\nA2,Max,Cat,Adoptable\nA3,Mia,Dog,Adoptable"].concat(
  "A1,Bella,Dog,Adopted\nA2,Maxi,Cat,Adoptable\nA4,Leo,Cat,Adoptable",
);

test("the file of the next week changes and adds animals, marks those that are gone as adopted, and adds nothing twice", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  const [first = "", second = ""] = weeks.map((rows) => `Animal ID,Name,Species,Status\n${rows}\n`);
  await choose(page, "week-1.csv", first);
  await page.getByRole("button", { name: "Add 3 animals" }).click();
  await expectShown(page.getByText("3 animals were added."));

  const counts = page.locator(".sheet-counts");
  await choose(page, "week-2.csv", second);
  await expectShown(counts.filter({ hasText: /^1 new animal · 2 changed$/ }));
  await expectShown(
    page.getByText("1 animal with a number of yours is not in the sheet any more."),
  );
  await expectShown(page.getByRole("listitem").filter({ hasText: /^Mia: A3$/ }));
  await page.getByLabel("Mark as adopted").check();
  await page.getByRole("button", { name: "Add 1, change 3" }).click();
  await expect
    .poll(() => all(board))
    .toEqual(["Bella A1 sold", "Maxi A2 available", "Mia A3 sold", "Leo A4 available"]);

  await choose(page, "week-2-again.csv", second);
  await expectShown(counts.filter({ hasText: /^3 unchanged$/ }));
  expect(await addButton(page).count()).toBe(0);
  expect(keysOf(board)).toHaveLength(4);
});

const twice =
  "Animal ID,Name,Species,Status\nA1,Rex,Dog,Adoptable\nA1,Rex,Dog,Adopted\nA2,Mia,Cat,Adoptable\n";

test.each([
  ["The first", ["Rex A1 available", "Mia A2 available"]],
  ["The last", ["Rex A1 sold", "Mia A2 available"]],
  ["Leave out", ["Mia A2 available"]],
])(
  "of rows with one number that differ, counts: %s, also for the next file of that shape",
  async (choice, after) => {
    await using board = await startBoard({ categoryNames });
    const page = await board.open({ view });
    await choose(page, "log.csv", twice);
    const select = page.getByLabel(
      "2 rows have numbers that come twice, and say different things. Which one counts?",
    );
    await expectShown(select);
    await select.selectOption(choice);
    await addButton(page).click();
    await expect.poll(() => all(board)).toEqual(after);
    await choose(page, "log.csv", twice);
    await expectShown(
      page.locator(".sheet-counts").filter({ hasText: new RegExp(`^${after.length} unchanged`) }),
    );
    expect(await page.locator(".sheet-choices").getAttribute("open")).toBeNull();
  },
);

test("a choice about rows with one number is offered only if there are any", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  await choose(page, "once.csv", twice.replace("A1,Rex,Dog,Adopted\n", ""));
  await expectShown(page.getByRole("button", { name: "Add 2 animals" }));
  expect(await page.getByText("Which one counts?").count()).toBe(0);
});

test("new animals that are called like others without a number are named, and added only if wanted, once", async () => {
  await using board = await startBoard({ categoryNames });
  await give(board, ["Rex", ""], ["Mia", ""]);
  const page = await board.open({ view });
  const sheet = "Animal ID,Name,Species\nA1,Mia,Dog\nA2,Rex,Dog\nA3,Rex,Dog\n";
  await choose(page, "animals.csv", sheet);
  // One Mia is certain: she gets her number.
  await expectShown(page.locator(".sheet-counts").filter({ hasText: /^1 changed$/ }));
  await expectShown(page.getByRole("listitem").filter({ hasText: /^Mia: No value → A1$/ }));
  await expectShown(
    page.getByText(
      "2 rows have a name or a number like that of an animal that is here. They may be the same.",
    ),
  );
  await expectShown(page.getByRole("listitem").filter({ hasText: /^Rex: A2$/ }));
  await page.getByLabel("Add them as other animals").check();
  board.expectFailures(/^404 POST/);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  board.proxy.treat = async (request) => {
    // As an older service does, so that one of the two can be stored before the other.
    if (isBatch(request)) return { status: 404, body: '{"code":"route_not_found","message":"No"}' };
    if (request.body.includes("A3")) await released;
    return await request.forward();
  };
  await page.getByRole("button", { name: "Add 2, change 1" }).click();
  await expect
    .poll(() => all(board))
    .toEqual(["Rex - available", "Mia A1 available", "Rex A2 available"]);
  // The other one is on its way: it is not the animal without a number now.
  await choose(page, "animals.csv", sheet);
  await expectShown(page.locator(".sheet-counts").filter({ hasText: /^2 unchanged$/ }));
  release();
  await expectShown(page.locator(".sheet-counts").filter({ hasText: /^3 unchanged$/ }));
  expect((await all(board)).at(-1)).toBe("Rex A3 available");
});

test("a text before each number keeps two programs apart, and is remembered", async () => {
  await using board = await startBoard({ categoryNames });
  await give(board, ["Bella", "1"]);
  const page = await board.open({ view });
  const sheet = "Animal ID,Name,Species\n1,Rex,Dog\n2,Mia,Cat\n";
  await choose(page, "north.csv", sheet);
  await expectShown(page.getByText("Bella: Bella → Rex"));
  await page.getByText("What the columns and words mean").click();
  const prefix = page.getByLabel("Put before each number");
  await prefix.fill("north-");
  await prefix.press("Enter");
  await page.getByRole("button", { name: "Add 2 animals" }).click();
  await expect
    .poll(() => all(board))
    .toEqual(["Bella 1 available", "Rex north-1 available", "Mia north-2 available"]);
  await choose(page, "north.csv", sheet);
  await expectShown(page.locator(".sheet-counts").filter({ hasText: /^2 unchanged$/ }));
  await choose(page, "export.csv", "Petstore ID,Name,Category,Your number\n1,Bella,Dogs,1\n");
  await expectShown(page.locator(".sheet-counts").filter({ hasText: /^1 unchanged$/ }));
  expect(await prefix.count()).toBe(0);
});
