import { z } from "zod";
import { errorBody } from "./errors.ts";
import type { Field, Fields, ListShape, ObjectShape } from "./fields.ts";
import type { Int64 } from "./int64.ts";
import { expected } from "./messages.ts";
import { order, orders } from "./order.ts";
import { int64Field, newPet, pet, pets } from "./pet.ts";

/** The schema of the parameters of a request. */
export function parametersSchema({ fields }: { fields: Fields }): z.ZodObject {
  return z.object(toShape(fields));
}

/** The schema of an object. */
export function objectSchema<In, Out>({ fields, isOpen }: ObjectShape<In, Out>): z.ZodType<Out, In> {
  const make = isOpen ? z.looseObject : z.object;
  return make(toShape(fields), { error: expected.object }) as unknown as z.ZodType<Out, In>;
}

/** The schema of a list of objects. */
export function listSchema<Item>({ items, maxItems }: ListShape<Item>): z.ZodType<Item[], Item[]> {
  return z.array(objectSchema(items)).max(maxItems);
}

/** A schema for each field. */
export function toShape(fields: Fields): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toSchema(field)]));
}

function toSchema({ is, must, read, isOptional, default: value }: Field): z.ZodType {
  const schema = read
    ? z.custom<string>((text) => typeof text === "string" && is(read(text)), must).transform(read)
    : z.custom(is, must);
  if (!isOptional) return schema;
  return value === undefined ? schema.optional() : schema.default(value);
}

export const int64Schema = toSchema(int64Field) as z.ZodType<Int64>;
export const petSchema = objectSchema(pet);
export const newPetSchema = objectSchema(newPet);
export const petsSchema = listSchema(pets);
export const orderSchema = objectSchema(order);
export const ordersSchema = listSchema(orders);
export const errorSchema = objectSchema(errorBody);
