import type * as z from "zod";

/**
 * A schema for every field of `Out`, so that a schema without one does not compile. Write
 * `z.object({ … } satisfies Shape<Pet>)`. `In` is what a client sends, if that differs.
 */
export type Shape<Out, In extends { [Key in keyof Out]?: unknown } = Out> = {
  // An open object's index signature is not a field.
  readonly [Key in keyof Out as string extends Key ? never : Key]-?: z.ZodType<Out[Key], In[Key]>;
};
