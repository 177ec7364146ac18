import { isInt64, type Int64, type Int64Form } from "@petstore/contract/int64";
import {
  checkFields,
  type Check,
  type Fail,
  type FieldChecks,
  type OptionalCheck,
} from "./check.ts";

/**
 * The check of a 64-bit integer. A field with this check is also converted to the form that the
 * client returns.
 */
export const int64 = [isInt64, "a 64-bit integer"] as const;

/**
 * A check for every field of an object, whose type is passed in the exact form and in the string
 * form. A 64-bit integer must have the check {@link int64}, and a type that depends on the form,
 * and an optional field an {@link OptionalCheck}: otherwise it does not compile.
 */
export type Checks<Exact, Text extends { [Name in keyof Exact]?: unknown }> = {
  readonly [Name in keyof Exact as string extends Name ? never : Name]-?: bigint extends Exact[Name]
    ? bigint extends Text[Name]
      ? never
      : typeof int64
    : undefined extends Exact[Name]
      ? OptionalCheck
      : Check;
};

/** Converts an integer to each form, or calls `fail` when the result would not be exact. */
export const int64Forms: {
  [Form in Int64Form]: (value: Int64, fail: (rule: string) => never) => Int64<Form>;
} = {
  exact: (value) => value,
  string: String,
  number: (value, fail) =>
    typeof value === "number" ? value : fail("at most 2^53 - 1: use another form of int64"),
};

/**
 * Reads the body of a response, or calls `fail` with the first field that breaks the contract, such
 * as `[3].status`.
 */
export type Decode<Data> = (body: unknown, fail: Fail) => Data;

/** Decodes a list of objects. Fields without a check come from a newer service and are kept. */
export function decodeList<Item>(checks: FieldChecks, form: Int64Form): Decode<Item[]> {
  const decodeItem = decodeObject<Item>(checks, form);
  return (body, fail) => {
    if (!Array.isArray(body)) return fail("body", "an array");
    return body.map((item, index) =>
      decodeItem(item, (field, expected) => fail(`[${index}].${field}`, expected)),
    );
  };
}

export function decodeObject<Item>(checks: FieldChecks, form: Int64Form): Decode<Item> {
  return (body, fail) => {
    const object = Object(body) as Record<string, unknown>;
    checkFields(object, checks, fail);
    for (const name in checks)
      if (checks[name]?.[1] === int64[1] && name in object)
        object[name] = int64Forms[form](object[name] as Int64, (rule) => fail(name, rule));
    return object as Item;
  };
}
