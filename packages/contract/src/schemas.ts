import { z } from "zod";
import { errorBody } from "./errors.ts";
import type { AnyList, AnyObject, Field, Fields, InputOf, ValueOf } from "./fields.ts";
import type { Int64 } from "./int64.ts";
import { expected } from "./messages.ts";
import { order, orders } from "./order.ts";
import { int64Field, newPet, pet, pets } from "./pet.ts";

/** The schema of an object, a list of objects, or the parameters of a request. */
export function schemaOf<Part extends AnyObject | AnyList | { readonly fields: Fields }>(part: Part) {
  return toSchema(part) as unknown as z.ZodType<ValueOf<Part>, InputOf<Part>>;
}

function toSchema(part: AnyObject | AnyList | { readonly fields: Fields }): z.ZodType {
  if ("items" in part) return z.array(toSchema(part.items)).max(part.maxItems);
  const make = "isOpen" in part ? z.looseObject : z.object;
  return make(toShape(part.fields), { error: expected.object });
}

export function toShape(fields: Fields): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]));
}

function fieldSchema({ is, must, read, isOptional, default: value }: Field): z.ZodType {
  const schema = read
    ? z.custom<string>((text) => typeof text === "string" && is(read(text)), must).transform(read)
    : z.custom(is, must);
  if (!isOptional) return schema;
  return value === undefined ? schema.optional() : schema.default(value);
}

export const int64Schema = fieldSchema(int64Field) as z.ZodType<Int64>;
export const petSchema = schemaOf(pet);
export const newPetSchema = schemaOf(newPet);
export const petsSchema = schemaOf(pets);
export const orderSchema = schemaOf(order);
export const ordersSchema = schemaOf(orders);
export const errorSchema = schemaOf(errorBody);
