import { expected } from "./messages.ts";

/**
 * The rule for one field of an object or one request parameter. The schema, the OpenAPI document, the service, its fake and the CLI
 * all derive from it.
 */
export interface Field<Value = unknown> {
  /** Whether a value is valid. */
  is(this: void, value: unknown): boolean;
  /** The rule in words. Error messages put it after the field's name. */
  must: string;
  /** The rule in JSON Schema. A schema with an `id` becomes a component of the OpenAPI document. */
  schema: Readonly<Record<string, unknown>>;
  description?: string;
  /** Parameters only: parses the text that was sent. */
  read?(this: void, text: string): Value;
  isOptional?: true | undefined;
  /** The value of an omitted field. */
  default?: Value | undefined;
}

/** A {@link Field} for every field of `In`: a missing one does not compile. `Out` is `In` with its defaults filled in. */
export type FieldsOf<In, Out extends In & Record<keyof In, unknown> = In> = {
  // An open object's index signature is not a field.
  readonly [Key in keyof In as string extends Key ? never : number extends Key ? never : Key]-?: Field<
    Exclude<In[Key], undefined>
  > &
    (undefined extends In[Key]
      ? undefined extends Out[Key]
        ? { isOptional: true; default?: undefined }
        : { isOptional: true; default: Out[Key] }
      : { isOptional?: undefined; default?: undefined });
};

export type Fields = Readonly<Record<string, Field>>;

/** The fields of an object, or the parameters in one part of a request. */
export interface Shape<In, Out extends In = In> {
  readonly fields: FieldsOf<In, Out>;
  /** Never set: only a type, of the value that a handler gets. */
  readonly value?: Out;
  /** Never set: only a type, of the value that a client sends. */
  readonly input?: In;
}

/** The name and description of an object or list in the OpenAPI document. */
interface Component {
  readonly id: string;
  readonly description: string;
  readonly examples?: readonly unknown[];
}

/** An object of the API. */
export interface ObjectShape<In, Out extends In = In> extends Shape<In, Out>, Component {
  readonly examples?: readonly In[];
  /** Whether undeclared properties are kept. By default they are ignored. */
  readonly isOpen?: true;
}

/** The type of a request part or response body, as a handler gets or returns it. */
export type ValueOf<Part> = Part extends { readonly value?: infer Value } ? Value : undefined;

/** The type of a request part, as a client sends it. */
export type InputOf<Part> = Part extends { readonly input?: infer Input } ? Input : undefined;

/** A list of objects. */
export interface ListShape<Item> extends Component {
  readonly items: ObjectShape<Item>;
  readonly maxItems: number;
  readonly examples: readonly (readonly Item[])[];
  /** Never set: only types, as in {@link Shape}. */
  readonly value?: Item[];
  readonly input?: Item[];
}

/** An {@link ObjectShape} of any type. */
export interface AnyObject extends Component {
  readonly fields: Fields;
  readonly isOpen?: true;
}

/** A {@link ListShape} of any type. */
export interface AnyList extends Component {
  readonly items: AnyObject;
  readonly maxItems: number;
}

/** A field that breaks its rule. */
export interface Problem {
  /** The field's name; empty for the object as a whole. */
  field: string;
  must: string;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every problem of `value`, in the order of the declared fields. */
export function problemsOf(fields: Fields, value: unknown): Problem[] {
  if (!isObject(value)) return [{ field: "", must: expected.object }];
  return Object.entries(fields).flatMap(([name, field]) => {
    const part = readField(value, name, field);
    return (field.isOptional && part === undefined) || field.is(part) ? [] : [{ field: name, must: field.must }];
  });
}

/** The declared fields of a valid `value`, with defaults filled in. Undeclared and `undefined` fields are left out. */
export function pickFields(fields: Fields, value: object): Record<string, unknown> {
  const picked = Object.entries(fields).map(([name, field]) => {
    const part = readField(value, name, field);
    return [name, part === undefined ? field.default : part] as const;
  });
  return Object.fromEntries(picked.filter(([, part]) => part !== undefined));
}

function readField(value: object, name: string, { read }: Field): unknown {
  const part: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  if (read === undefined || part === undefined) return part;
  return typeof part === "string" ? read(part) : null; // a repeated parameter is an array
}
