import type { Fields, ValueOf } from "@petstore/contract/fields";
import { parseInt64, stringifyJson } from "@petstore/contract/int64";
import { operations, type OperationName } from "@petstore/contract/operations";
import { newPet, type PetFields } from "@petstore/contract/pet";
import { idempotencyWindowMs } from "@petstore/contract/values";
import { createPageReader, type Page, type Sign } from "./cursor.ts";
import { isOver } from "./deprecation.ts";
import { andThen, type Found } from "./found.ts";
import { Refusal, type RequestPart } from "./refusal.ts";
import type { ApiKey, Idempotency, Store } from "./store.ts";

type Declared = typeof operations;

/** What the contract declares of each part of a request; `undefined` when the operation has no such part. */
type Parts<Operation> = {
  [Part in RequestPart]: Part extends keyof Operation ? ValueOf<Operation[Part]> : undefined;
};

/** A request that has been let in and checked. */
export type Call<Name extends OperationName> = {
  [Each in Name]: Parts<Declared[Each]> & { caller: ApiKey };
}[Name];

/** What the service responds. A body may be {@link JsonText}. */
export type Success<Name extends OperationName> = {
  [Each in Name]: {
    status: Declared[Each]["success"]["status"];
    body: ValueOf<Declared[Each]["success"]["body"]>;
    headers?: Headers<Declared[Each]["success"]>;
  };
}[Name];

/** The headers that are declared: others would not be in the document. */
type Headers<Responding> = Responding extends { headers: readonly (infer Header extends string)[] }
  ? { [Each in Header]?: string }
  : Record<string, never>;

/** Stored JSON, to respond with instead of the value that it stands for. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The body of a response as text. */
export function toText(body: unknown): string {
  return body instanceof JsonText ? body.text : stringifyJson(body);
}

export type Operations = { readonly [Name in OperationName]: (call: Call<Name>) => Found<Success<Name>> };

/** What the service needs of the machine that it runs on. */
export interface Ports {
  /** Milliseconds since 1970. */
  now(this: void): number;
  /** Signs page cursors. */
  sign: Sign;
  /** A short text that differs where the given one does. */
  digest(this: void, text: string): string;
}

/** What the service does, from a checked request to its response. A refused one throws a {@link Refusal}. */
export function createOperations(store: Store, { now, sign, digest }: Ports): Operations {
  const readPets = createPageReader("pets", operations.listPets.query, sign);
  const readOrders = createPageReader("orders", operations.listOrders.query, sign);
  return {
    listPets: ({ query }) =>
      andThen(
        readPets(query, (page) => store.listPets(page)),
        toSuccess<"listPets">,
      ),

    async createPet({ body, headers, caller }) {
      const time = now();
      const key = headers["idempotency-key"];
      const expiresAt = time + idempotencyWindowMs;
      const idempotency: Idempotency | undefined =
        key === undefined
          ? undefined
          : { ownerId: caller.id, key, fingerprint: digest(describe(body)), now: time, expiresAt };
      const creation = await store.createPet(body, idempotency);
      if (creation.outcome === "reused") throw new Refusal("idempotency_key_reused");
      if (creation.outcome === "in_progress") throw new Refusal("idempotency_in_progress");
      const { outcome, pet } = creation;
      const response: Success<"createPet">["headers"] = {};
      // What is there is getPet, until it is removed.
      if (!isOver(operations.getPet.deprecation, time)) response.Location = `pets/${pet.id}`;
      if (outcome === "replayed") response["Idempotent-Replayed"] = "true";
      return { status: 201, body: pet, headers: response };
    },

    getPet({ params }) {
      const id = parseInt64(params.petId);
      return andThen(id === undefined ? undefined : store.getPet(id), (pet) => {
        if (pet === undefined) throw new Refusal("pet_not_found");
        return { status: 200, body: pet };
      });
    },

    listOrders: ({ query }) =>
      andThen(
        readOrders(query, (page) => store.listOrders(page)),
        toSuccess<"listOrders">,
      ),
  };
}

/** The items of a page stay text, as the store has them: parsing them would only take time, and could lose something. */
function toSuccess<Name extends "listPets" | "listOrders">({ text, headers }: Page): Success<Name> {
  const body: unknown = new JsonText(text);
  return { status: 200, body: body as Success<Name>["body"], headers } as Success<Name>;
}

/**
 * Equal for equal animals, however their JSON was written. Fields that came after the first version count only where they are sent:
 * otherwise the repeat of a request would differ from the first across an upgrade.
 */
function describe({ name, categoryId, status, ...later }: PetFields): string {
  const declared: Fields = newPet.fields;
  const sent = Object.entries<unknown>(later).filter(([key, value]) => value !== declared[key]?.default);
  return stringifyJson([name, categoryId, status, ...sent]);
}
