import { read } from "@petstore/test-kit/checkout";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { expect, test } from "vitest";
import { launchOnce } from "./visitor.ts";

const animals = [
  { name: "Bella", categoryId: 1 },
  { name: "<b>Milo</b>", categoryId: 2 },
  { name: "W".repeat(255), categoryId: 99 },
];

test("the public page shows the animals of its file by kind, as text, on a phone too, and says so if there is no file", async () => {
  let hasFile = true;
  await using site = await startHttpServer((req, res) => {
    if (req.url === "/animals.json" && hasFile) res.end(JSON.stringify(animals));
    else if (req.url === "/animals.json") res.writeHead(404).end("{");
    else res.writeHead(200, { "Content-Type": "text/html" }).end(read("deploy/our-animals.html"));
  });
  await using page = await (await launchOnce()).newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(site.origin);
  await page.getByText("3 animals wait for you").waitFor();
  expect(await page.getByRole("listitem").allInnerTexts()).toEqual([
    "Bella\nDogs",
    "<b>Milo</b>\nCats",
    `${"W".repeat(255)}\nOthers`,
  ]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  await page.getByRole("button", { name: "Cats" }).click();
  await page.getByText("1 animal waits for you").waitFor();
  expect(await page.getByRole("button", { pressed: true }).innerText()).toBe("Cats");

  hasFile = false;
  await page.reload();
  await page.getByText("We cannot show our animals now. Please call us.").waitFor();
});
