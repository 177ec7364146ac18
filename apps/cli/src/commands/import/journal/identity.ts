import { hash } from "node:crypto";
import type { NewPet } from "@petstore/client";
import { stringifyJson } from "@petstore/contract/int64";

/** What a row is in its import, wherever it stands in the file. */
export interface Identity {
  row: string;
  /**
   * Equal rows of a file are different animals: they are numbered from 1, and keep their numbers in
   * every run.
   */
  occurrence: number;
}

/** Identifies the rows of an import, one after the other. */
export function identifier(importId: string): (pet: NewPet) => Identity {
  const occurrences = new Map<string, number>();
  return (pet) => {
    const content = contentOf(importId, pet);
    const occurrence = (occurrences.get(content) ?? 0) + 1;
    occurrences.set(content, occurrence);
    return { row: digest(`${occurrence} ${content}`), occurrence };
  };
}

/** Whether an animal is still what its row added. */
export function isUnchanged(importId: string, pet: NewPet, { row, occurrence }: Identity): boolean {
  return row === digest(`${occurrence} ${contentOf(importId, pet)}`);
}

function contentOf(
  importId: string,
  { name, categoryId, status = "available", ...others }: NewPet,
): string {
  return digest(
    stringifyJson([importId, name, categoryId, status, ...Object.entries(others).flat()]),
  );
}

/** 128 bits of a SHA-256, in 22 characters. */
export function digest(text: string): string {
  return hash("sha256", text, "buffer").toString("base64url", 0, 16);
}
