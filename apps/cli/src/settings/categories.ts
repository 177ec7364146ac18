import { parseCategoryNames, type CategoryNames } from "@petstore/contract/categories";
import type { Context } from "../types.ts";
import { checkSetting, normalizeAddress } from "./definitions.ts";
import { writableLoginPath, writeLogin } from "./login.ts";

/**
 * The names of categories of the service in use.
 * @param given the value of `--categories`
 * @param isKept whether to save it for the next time
 * @throws {UsageError} if it is invalid
 */
export function categoryNames(
  { terminal, settings, note }: Context,
  given: string | undefined,
  isKept: boolean,
): CategoryNames {
  const setting = given === undefined ? settings.values.categories : { value: given, origin: "flag --categories" };
  if (setting === undefined) return new Map();
  checkSetting("categories", setting);
  const address = normalizeAddress(settings.values["base-url"]?.value ?? "");
  const { login } = settings;
  if (isKept && given !== undefined && given !== login.categories?.[address]) {
    const path = writableLoginPath(terminal);
    writeLogin(path, { ...login, categories: { ...login.categories, [address]: given } });
    note(`saved these names of categories for ${address} in ${path}`);
  }
  return parseCategoryNames(setting.value) ?? new Map();
}
