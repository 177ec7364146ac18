import type { BatchResult } from "@petstore/contract/batch";
import { contract, type RequestOf, type ResponseOf } from "@petstore/contract/contract";
import { parseInt64, stringifyJson, type Int64 } from "@petstore/contract/int64";
import type { OperationName } from "@petstore/contract/metadata";
import { newPetSchema, type PetFields, type PetStatus } from "@petstore/contract/pet";
import { toProblems } from "@petstore/contract/problems";
import { idempotencyWindowMs } from "@petstore/contract/rules";
import { createPageReader, type Page, type Sign } from "./cursor.ts";
import { isRemoved } from "./deprecation.ts";
import { HttpError, invalidRequest, toHttpError } from "./http-error.ts";
import { andThen, type MaybePromise } from "./maybe-promise.ts";
import {
  StoreUnavailableError,
  type ApiKey,
  type ChangeOptions,
  type Creation,
  type Idempotency,
  type Removal,
  type Store,
  type Update,
} from "./store.ts";

/** A request after authentication and validation. */
export type Call<Name extends OperationName> = { [Each in Name]: RequestOf<Each> & Origin }[Name];

/** Who sent a request. */
export interface Origin {
  caller: ApiKey;
  requestId: string;
}

/** A request that may have an idempotency key. */
interface Keyed extends Origin {
  headers: { "idempotency-key"?: string | undefined };
}

/** A request to change an animal. */
interface Change extends Keyed {
  params: { petId: string };
  query: { ifStatus?: PetStatus | undefined };
}

/** A successful response. Its body may be {@link JsonText}. */
export type Success<Name extends OperationName> = { [Each in Name]: ResponseOf<Each> }[Name];

/** A response body as JSON text, so that stored JSON is not parsed and printed again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function toText(body: unknown): string {
  return body instanceof JsonText ? body.text : stringifyJson(body);
}

export type Operations = {
  readonly [Name in OperationName]: (call: Call<Name>) => MaybePromise<Success<Name>>;
};

/** The platform functions that the service needs. */
export interface Ports {
  /** Milliseconds since 1970. */
  now(this: void): number;
  sign: Sign;
  /**
   * The address at which clients reach the service, ending in `/v1`; `undefined` if nobody has said
   * it.
   */
  publicUrl?: string | undefined;
  /** A digest of a text. Different texts must have different digests. */
  digest(this: void, text: string): string;
  /**
   * Called with an error that is a bug, and rejects one animal of a batch: the request itself
   * succeeds.
   */
  reportBug(this: void, error: unknown, requestId: string): void;
}

/**
 * The handlers of all operations. Each turns a checked request into a response, or throws an
 * {@link HttpError} to reject it.
 */
export function createOperations(
  store: Store,
  { now, sign, publicUrl, digest, reportBug }: Ports,
): Operations {
  const readPets = createPageReader("pets", contract.listPets, sign, publicUrl);
  const readOrders = createPageReader("orders", contract.listOrders, sign, publicUrl);

  function idempotencyOf({ headers, caller }: Keyed, request: string): Idempotency | undefined {
    const key = headers["idempotency-key"];
    if (key === undefined) return undefined;
    const time = now();
    return {
      ownerId: caller.id,
      key,
      fingerprint: digest(request),
      now: time,
      expiresAt: time + idempotencyWindowMs,
    };
  }

  /**
   * The options of a change. `content` is what makes requests with the same idempotency key equal.
   */
  function changeOptions(call: Change, content: object): ChangeOptions {
    const { ifStatus } = call.query;
    // An object, so that it never equals the fingerprint of a creation.
    const idempotency = idempotencyOf(call, stringifyJson({ ...content, ifStatus }));
    return {
      author: { at: now(), by: call.caller.id, requestId: call.requestId },
      ifStatus,
      idempotency,
    };
  }

  return {
    listPets: ({ query }) =>
      andThen(
        readPets(query, (page) => store.listPets(page)),
        toSuccess<"listPets">,
      ),

    async createPet({ body, ...call }) {
      const { outcome, pet } = checkWritten(
        await store.createPet(body, idempotencyOf(call, fingerprintOf(body))),
      );
      // getPet serves the location until it is removed.
      const isServed = !isRemoved(contract.getPet.metadata.deprecation, now());
      const headers = { ...replayed(outcome), ...(isServed && { Location: `pets/${pet.id}` }) };
      return { status: 201, body: pet, headers };
    },

    async createPets({ body: { pets }, ...call }) {
      // Nothing is stored unless there is room for all.
      if (store.isBusy(pets.length)) throw tooBusy;
      const inTurn = createTurns<Creation>();
      const results = await Promise.allSettled(
        pets.map(async ({ data, error }): Promise<BatchResult> => {
          if (error) return toRejection(invalidRequest({ body: toProblems(error.issues) }));
          const { idempotencyKey: key, ...pet } = data;
          const keyed = { ...call, headers: { "idempotency-key": key } };
          return await toBatchResult(
            inTurn(key, () => store.createPet(pet, idempotencyOf(keyed, fingerprintOf(pet)))),
            (bug) => reportBug(bug, call.requestId),
          );
        }),
      );
      // All have settled: a caller who now sends the batch again does not meet its own animals in
      // progress.
      const body = results.map((result) => {
        if (result.status === "rejected") throw result.reason;
        return result.value;
      });
      return { status: 200, body };
    },

    async updatePet({ body, ...call }) {
      const id = petIdOf(call);
      const options = changeOptions(call, { id, ...body });
      const { outcome, pet } = checkWritten(await store.updatePet(id, body, options));
      return { status: 200, body: pet, headers: replayed(outcome) };
    },

    async deletePet(call) {
      const id = petIdOf(call);
      const { outcome } = checkWritten(
        await store.deletePet(id, changeOptions(call, { removed: id })),
      );
      return { status: 204, body: undefined, headers: replayed(outcome) };
    },

    getPet: (call) =>
      andThen(store.getPet(petIdOf(call)), (pet) => {
        if (pet === undefined) throw new HttpError("pet_not_found");
        return { status: 200, body: pet };
      }),

    listOrders: ({ query }) =>
      andThen(
        readOrders(query, (page) => store.listOrders(page)),
        toSuccess<"listOrders">,
      ),
  };
}

/** Keeps the items of a page as stored text. Parsing them would take time and could lose detail. */
function toSuccess<Name extends OperationName>({ text, headers }: Page): Success<Name> {
  const body: unknown = new JsonText(text);
  return { status: 200, body: body as Success<Name>["body"], headers } as Success<Name>;
}

/** @throws {HttpError} 404 when the path has no 64-bit integer: no animal has another id */
function petIdOf({ params: { petId } }: Pick<Change, "params">): Int64 {
  const id = parseInt64(petId);
  if (id === undefined) throw new HttpError("pet_not_found");
  return id;
}

// Created once: errors are slow to create, and under overload there is no time.
const tooBusy = new StoreUnavailableError("too many writes are waiting", { reason: "busy" });

function toRejection({ status, body }: HttpError): BatchResult {
  return { status, error: body };
}

/** @throws what may pass, and is for the whole batch: sent again, it stores nothing twice */
async function toBatchResult(
  creation: Promise<Creation>,
  report: (bug: unknown) => void,
): Promise<BatchResult> {
  try {
    const { outcome, pet } = checkWritten(await creation);
    return { status: 201, pet, ...(outcome === "replayed" && { replayed: true }) };
  } catch (error) {
    const rejection = toHttpError(error);
    if (rejection.code === "unavailable" || rejection.code === "idempotency_in_progress")
      throw error;
    if (rejection.code === "internal_error") report(error);
    return toRejection(rejection);
  }
}

/**
 * Calls with the same key run one after the other, so that the first one counts; all others at
 * once.
 */
function createTurns<Value>() {
  const last = new Map<string, Promise<Value>>();
  return (key: string | undefined, start: () => Promise<Value>): Promise<Value> => {
    if (key === undefined) return start();
    const turn = last.get(key)?.then(start, start) ?? start();
    last.set(key, turn);
    return turn;
  };
}

type Written = Creation | Update | Removal;

/** @throws {HttpError} unless the request was carried out, now or by an earlier one */
function checkWritten(written: Written): Extract<Written, { pet: unknown }> {
  if (written.outcome === "not_found") throw new HttpError("pet_not_found");
  if (written.outcome === "status_changed") throw new HttpError("status_changed", written.status);
  if (written.outcome === "reference_taken")
    throw new HttpError("reference_taken", String(written.id));
  if (written.outcome === "reused") throw new HttpError("idempotency_key_reused");
  if (written.outcome === "in_progress") throw new HttpError("idempotency_in_progress");
  return written;
}

function replayed(outcome: string) {
  return outcome === "replayed" ? { "Idempotent-Replayed": "true" } : {};
}

const fieldDefaults: Readonly<Record<string, unknown>> = newPetSchema.partial().parse({});

/**
 * Equal for equal animals, regardless of how their JSON was written. A field added after the first
 * version is left out when it has its default: otherwise a request repeated after an upgrade would
 * not match its record.
 */
export function fingerprintOf(
  { name, categoryId, status, ...later }: PetFields,
  defaults = fieldDefaults,
): string {
  const sent = Object.entries<unknown>(later).filter(([key, value]) => value !== defaults[key]);
  return stringifyJson([name, categoryId, status, ...sent]);
}
