import { stringifyJson } from "@petstore/contract/int64";
import { InvalidArgumentError } from "./errors.ts";

/** The check of a field: whether its value is valid, the rule in words, and whether a change may clear it with `null`. */
export type Check = readonly [isValid: (value: unknown) => boolean, rule: string, isClearable?: true];

/** The check of a field that may be left out. */
export function optional(isValid: (value: unknown) => boolean, rule: string): readonly [typeof isValid, string] {
  return [(value) => value === undefined || isValid(value), rule];
}

export type FieldChecks = Readonly<Record<string, Check>>;

export type Report = (field: string, rule: string) => void;

export type Fail = (field: string, rule: string) => never;

/** Calls `report` with each field that breaks its rule. By default, the first one throws an {@link InvalidArgumentError}. */
export function checkFields(object: object, checks: FieldChecks, report: Report = failArgument): void {
  for (const [name, [isValid, rule]] of Object.entries(checks))
    if (!isValid((object as Record<string, unknown>)[name])) report(name, rule);
}

export function failArgument(name: string, rule: string): never {
  throw new InvalidArgumentError(toMessage(name, rule));
}

export function toMessage(name: string, rule: string): string {
  return `${name} must be ${rule}`;
}

export function checkObject(argument: string, value: unknown): void {
  if (Object(value) !== value) failArgument(argument, "an object");
}

/** The body of a request. @throws {InvalidArgumentError} when this runtime cannot write its integers */
export function toJson(body: object): string {
  try {
    return stringifyJson(body);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
