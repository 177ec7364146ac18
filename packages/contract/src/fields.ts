import { expected } from "./messages.ts";

/**
 * What one field of an object, or one parameter of a request, must be. It is declared once, for the schema, the OpenAPI document, the
 * service, its fake and the command line.
 */
export interface Field<Value = unknown> {
  /** Whether a value is right. */
  is(this: void, value: unknown): boolean;
  /** What is expected, as a message says it after the name of the field. */
  must: string;
  /** The same in JSON Schema. One with an `id` is a component of the document. */
  schema: Readonly<Record<string, unknown>>;
  description?: string;
  /** Of a parameter: its value, from the text that was sent. */
  read?(this: void, text: string): Value;
  isOptional?: true | undefined;
  /** What an omitted field counts as. */
  default?: Value | undefined;
}

/**
 * A declaration for every field of an object: leaving one out does not compile. `Out` is the object once omitted fields have their
 * defaults.
 */
export type FieldsOf<In, Out extends In & Record<keyof In, unknown> = In> = {
  // Without the index signature of an open object.
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

/** The parameters of one kind that an operation takes. */
export interface Shape<In, Out extends In = In> {
  readonly fields: FieldsOf<In, Out>;
  /** Only a type: what a handler gets. */
  readonly value?: Out;
  /** Only a type: what a client sends. */
  readonly input?: In;
}

/** What an object or a list is called, as a component of the document. */
interface Component {
  readonly id: string;
  readonly description: string;
  readonly examples?: readonly unknown[];
}

/** An object of the interface. */
export interface ObjectShape<In, Out extends In = In> extends Shape<In, Out>, Component {
  readonly examples?: readonly In[];
  /** Whether other properties are kept. Otherwise they are ignored. */
  readonly isOpen?: true;
}

/** What a part of an operation holds, as a handler gets it. */
export type ValueOf<Part> = Part extends { readonly value?: infer Value } ? Value : undefined;

/** What the contract declares for a part of an operation, as a client sends it. */
export type InputOf<Part> = Part extends { readonly input?: infer Input } ? Input : undefined;

/** An array of such objects. */
export interface ListShape<Item> extends Component {
  readonly items: ObjectShape<Item>;
  readonly maxItems: number;
  readonly examples: readonly (readonly Item[])[];
  /** Only types. */
  readonly value?: Item[];
  readonly input?: Item[];
}

/** Any object, whatever its type. */
export interface AnyObject extends Component {
  readonly fields: Fields;
  readonly isOpen?: true;
}

/** Any list, whatever its items. */
export interface AnyList extends Component {
  readonly items: AnyObject;
  readonly maxItems: number;
}

/** What is wrong with an object, and with which field of it. */
export interface Problem {
  /** Empty when it is the object as a whole. */
  field: string;
  must: string;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Everything that is wrong with `value`, in the order of the fields. */
export function problemsOf(fields: Fields, value: unknown): Problem[] {
  if (!isObject(value)) return [{ field: "", must: expected.object }];
  return Object.entries(fields).flatMap(([name, field]) => {
    const part = readField(value, name, field);
    return (field.isOptional && part === undefined) || field.is(part) ? [] : [{ field: name, must: field.must }];
  });
}

/** The declared fields of a right `value`, with their defaults: what is not declared, or not there, is left out. */
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
  return typeof part === "string" ? read(part) : null; // a parameter is text, sent once
}
