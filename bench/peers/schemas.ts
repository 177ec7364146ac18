// The same validation for every peer.
import { z } from "zod";

const status = z.enum(["available", "pending", "sold"]);

export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional(),
});

export const petParams = z.object({ petId: z.coerce.number().int() });

export const newPet = z.object({
  name: z.string().min(1).max(255),
  categoryId: z.int(),
  status: status.default("available"),
});

export const pet = z.object({ id: z.int(), name: z.string(), categoryId: z.int(), status });

export const pets = z.array(pet);

export const problem = z.object({ message: z.string() });
