import { stringifyJson } from "@petstore/contract/int64";
import { InvalidArgumentError } from "./errors.ts";

/**
 * The check of a field: whether its value is valid, the rule in words, and whether a change may
 * clear it with `null`.
 */
export type Check = readonly [
  isValid: (value: unknown) => boolean,
  rule: string,
  isClearable?: true,
];

declare const mayBeMissing: unique symbol;

/**
 * The check of a field that may be left out. The mark is for the compiler only: no other check has
 * it.
 */
export type OptionalCheck = readonly [isValid: Check[0] & { [mayBeMissing]: true }, rule: string];

export function optional(isValid: Check[0], rule: string): OptionalCheck {
  return [((value) => value === undefined || isValid(value)) as OptionalCheck[0], rule];
}

/** Any text: that of a response. */
export const anyText: Check = [(value) => typeof value === "string", "a string"];

export type FieldChecks = Readonly<Record<string, Check>>;

export type Report = (field: string, rule: string) => void;

export type Fail = (field: string, rule: string) => never;

/**
 * Calls `report` with each field that breaks its rule. By default, the first one throws an
 * {@link InvalidArgumentError}.
 */
export function checkFields(
  object: object,
  checks: FieldChecks,
  report: Report = failArgument,
): void {
  for (const [name, [isValid, rule]] of Object.entries(checks))
    if (!isValid((object as Record<string, unknown>)[name])) report(name, rule);
}

export function failArgument(name: string, rule: string): never {
  throw new InvalidArgumentError(toMessage(name, rule));
}

export function toMessage(name: string, rule: string): string {
  return `${name} must be ${rule}`;
}

/**
 * The names that an object may have, as data: a name of its type that is missing here does not
 * compile. `false` stands for a name that is accepted, but not for callers.
 */
export type Names<Type> = Readonly<Record<keyof Type, boolean>>;

/**
 * What a caller passes, without what is `undefined`. Fails for any other name: a misspelled one
 * would be ignored, and with it what the caller wants. Only own names are looked at, so that an
 * object may inherit others.
 */
export function take<Type extends object>(
  argument: string,
  names: Names<Type>,
  given: Type = {} as Type,
  fail: Fail = failArgument,
): Type {
  if (Object(given) !== given) fail(argument, "an object");
  const known = Object.keys(names) as (keyof Type & string)[];
  for (const name of Object.keys(given))
    if (!known.includes(name as never))
      fail(
        argument,
        `without ${name}: there are only ${known.filter((each) => names[each]).join(", ")}`,
      );
  return withoutUndefined(Object.fromEntries(known.map((name) => [name, given[name]]))) as Type;
}

/** The members that are not `undefined`. */
export function withoutUndefined(options: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/**
 * The body of a request. @throws {InvalidArgumentError} when this runtime cannot write its integers
 */
export function toJson(body: object): string {
  try {
    return stringifyJson(body);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
