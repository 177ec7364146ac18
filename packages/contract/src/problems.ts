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

/** A standard schema, such as one of zod. Checks like `safeParse`, but creates no `Error`, whose stack costs more than the check. */
interface Schema {
  "~standard": { validate(value: unknown): object };
}

function issuesOf(schema: Schema, value: unknown): readonly Issue[] | undefined {
  return (schema["~standard"].validate(value) as { issues?: readonly Issue[] }).issues;
}

/** The problems that a schema of the contract found. */
export function toProblems(issues: readonly Issue[] = []): Problem[] {
  return issues.map(({ path = [], message }) => ({ field: path.map(String).join("."), must: message }));
}

/** Every problem of `value`, in the order of the declared fields. */
export function problemsOf(schema: Schema, value: unknown): Problem[] {
  return toProblems(issuesOf(schema, value));
}

/** Whether a field may be left out. */
export function isOptional(schema: Schema): boolean {
  return issuesOf(schema, undefined) === undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
