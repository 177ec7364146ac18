import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Seen } from "./front.ts";
import { expectShown, type Board } from "./visitor.ts";

/** The form for one animal. */
export interface Form {
  dialog: Locator;
  name: Locator;
  category: Locator;
  submit: Locator;
  retry: Locator;
}

export function formOf(page: Page): Form {
  const dialog = page.getByRole("dialog", { name: "Add animals" });
  return {
    dialog,
    name: dialog.getByRole("textbox", { name: "Name" }),
    category: dialog.getByRole("textbox", { name: "Category" }),
    submit: dialog.locator("[type=submit]"),
    retry: dialog.getByRole("button", { name: "Try again" }),
  };
}

export async function openForm(page: Page): Promise<Form> {
  await page.getByRole("button", { name: "Add animals" }).click();
  const form = formOf(page);
  await expectShown(form.name);
  return form;
}

export async function fill(form: Form, name: string, categoryId: string): Promise<void> {
  await paste(form.name, name);
  await paste(form.category, categoryId);
}

/** Enters a text as a paste does. Playwright would replace a lone surrogate. */
export async function paste(field: Locator, text: string): Promise<void> {
  const codes = text.split("").map((unit) => unit.charCodeAt(0));
  await field.evaluate((input: HTMLInputElement, units) => {
    input.value = String.fromCharCode(...units);
    input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
  }, codes);
}

export async function signIn(page: Page, apiKey: string): Promise<void> {
  await page.getByRole("textbox", { name: "API key" }).fill(apiKey);
  await page.getByRole("button", { name: "Sign in" }).click();
}

export async function expectFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((node) => node === document.activeElement)).toBe(true);
}

/** Whether a request would add an animal. Those without a name only ask what the key may do. */
export function isPost({ method, body }: Seen): boolean {
  return method === "POST" && body.includes('"name"');
}

export function postsOf({ front }: Board): Seen[] {
  return front.seen.filter(isPost);
}

/** The different idempotency keys of the requests. */
export function keysOf(board: Board): unknown[] {
  return [...new Set(postsOf(board).map(({ headers }) => headers["idempotency-key"]))];
}

/** The animals of the server. */
export async function stored({ server }: Board): Promise<unknown[][]> {
  const { body } = await server.call("/pets");
  return (body as Record<string, unknown>[]).map(({ name, categoryId, status }) => [name, categoryId, status]);
}
