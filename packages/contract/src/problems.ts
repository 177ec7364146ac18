import type * as z from "zod";

/** A field that breaks its rule. */
export interface Problem {
  /** The field's name; empty for the object as a whole. */
  field: string;
  must: string;
}

/** An issue of zod, or of another library with standard schemas. */
interface Issue {
  path?: readonly PropertyKey[] | undefined;
  message: string;
}

/** The problems that a schema of the contract found. */
export function toProblems(issues: readonly Issue[] = []): Problem[] {
  return issues.map(({ path = [], message }) => ({
    field: path.map(String).join("."),
    must: message,
  }));
}

/** Every problem of `value`, in the order of the declared fields. */
export function problemsOf(schema: z.ZodType, value: unknown): Problem[] {
  return toProblems(schema.safeParse(value).error?.issues);
}

/** Whether a field may be left out. */
export function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
