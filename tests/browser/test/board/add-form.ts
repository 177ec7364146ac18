import type { Locator, Page } from "playwright-core";
import { expectShown } from "../visitor.ts";

/** The form for one animal. */
export type Form = ReturnType<typeof formOf>;

export function formOf(page: Page) {
  const dialog = page.getByRole("dialog", { name: "Add animals" });
  return {
    dialog,
    name: dialog.getByRole("textbox", { name: "Name" }),
    category: dialog.getByRole("textbox", { name: "Category" }),
    submit: dialog.locator("[type=submit]"),
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

/** Fills in and submits the form. */
export async function add(form: Form, name: string, categoryId = "7"): Promise<void> {
  await fill(form, name, categoryId);
  await form.submit.click();
}

export async function expectAdded(page: Page, name: string, id: number): Promise<void> {
  await expectShown(page.getByRole("status").getByText(`${name} was added as #${id}.`));
}

/** Enters a text as a paste does. Playwright would replace a lone surrogate. */
export async function paste(field: Locator, text: string): Promise<void> {
  const codes = text.split("").map((unit) => unit.charCodeAt(0));
  await field.evaluate((input: HTMLInputElement, units) => {
    input.value = String.fromCharCode(...units);
    input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
  }, codes);
}

export async function signIn(page: Page, apiKey: string, isRemembered = false): Promise<void> {
  await page.getByLabel("Access key", { exact: true }).fill(apiKey);
  await page.getByLabel("Remember on this device").setChecked(isRemembered);
  await page.getByRole("button", { name: "Sign in" }).click();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
}

export const signedOut = (page: Page): Locator =>
  page.getByRole("heading", { name: "Sign in to the adoption board" });
