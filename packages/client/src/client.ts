import type { BatchResult } from "@petstore/contract/batch";
import type { Int64Form } from "@petstore/contract/int64";
import type { OperationName } from "@petstore/contract/metadata";
import type { Order } from "@petstore/contract/order";
import type { Pet, PetStatus } from "@petstore/contract/pet";
import { isPageLimit, pageLimitRule } from "@petstore/contract/rules";
import { decodeBatch, toBatch, type KeyedNewPet } from "./batch.ts";
import {
  checkFields,
  failArgument,
  optional,
  take,
  toJson,
  type Check,
  type FieldChecks,
  type Names,
} from "./check.ts";
import { decodeList, decodeObject, int64, type Checks, type Decode } from "./decode.ts";
import { toResult, type Incoming, type Outgoing, type Result } from "./exchange.ts";
import {
  createOptions,
  replaceableOptions,
  requestOptions,
  updateOptions,
  type CreateOptions,
  type PetstoreClientOptions,
  type RequestOptions,
  type UpdateOptions,
} from "./options.ts";
import { pageList, type PageList } from "./page-list.ts";
import { withQuery } from "./paths.ts";
import {
  int64Argument,
  optionalReference,
  optionalStatus,
  petChecks,
  petPath,
  toChanges,
  toExact,
  toNewPet,
  type NewPet,
  type PetChanges,
} from "./pet.ts";
import { send } from "./request.ts";
import { overrideSettings, resolveOptions } from "./resolve-options.ts";

/**
 * A client of the Petstore service. Its calls reject with:
 *
 * - {@link ApiError} when the service responds with an error
 * - {@link ConnectionError} or {@link TimeoutError} when no complete response arrives
 * - {@link InterceptedError} when something between this program and the service responds
 * - {@link DecodeError} when a response breaks the contract
 * - {@link InvalidArgumentError} when an argument or option is invalid; nothing was sent
 * - the reason of the `signal` when that aborts
 */
export interface PetstoreClient<Form extends Int64Form = "exact"> {
  /**
   * Lists animals in ascending order of id. Nothing is fetched until the list is awaited or
   * iterated.
   * @throws {InvalidArgumentError} synchronously, when a field of the query is invalid
   */
  listPets(query?: ListPetsQuery, options?: RequestOptions): PageList<Pet<Form>>;
  /**
   * Adds an animal. Once this resolves, the animal is stored durably. Retries never add it twice:
   * see {@link CreateOptions.idempotencyKey}.
   * @throws {InvalidArgumentError} when a field of the animal is invalid
   * @throws {ConflictError} with the code `reference_taken` when another animal has the reference
   * @throws {BadRequestError} with the code `idempotency_key_reused` when the key was used for a
   * different request
   */
  createPet(pet: NewPet, options?: CreateOptions): Result<Pet<Form>>;
  /**
   * Fetches one animal.
   * @deprecated The service will remove this on 5 December 2030. Use
   * {@link PetstoreClient.listPets} with a `status` instead.
   * @param petId a 64-bit integer in any form: a safe `number`, a `bigint` or decimal digits
   * @throws {InvalidArgumentError} when the id is none of these
   * @throws {NotFoundError} when there is no animal with this id; after the removal, with the code
   * `operation_removed`
   */
  getPet(petId: number | bigint | string, options?: RequestOptions): Result<Pet<Form>>;
  /**
   * A client with the options of this one, except those that are passed here. The `headers` and
   * `fetchOptions` are replaced as a whole. The form of 64-bit integers stays the same: it is part
   * of the type of a client.
   * @throws {InvalidArgumentError} naming the invalid option
   * @example
   * const patient = client.withOptions({ timeoutMs: 120_000, maxRetries: 5 });
   */
  withOptions(options: Omit<PetstoreClientOptions, "int64">): PetstoreClient<Form>;
  /** Operations that may change or disappear in any release. */
  experimental: {
    /**
     * Adds up to 100 animals with one request, and resolves to what became of each, in their order:
     * one that the service rejects affects no other. Once this resolves, those with a `pet` are
     * stored durably. Retries send all of them again, and never add one twice: each has a key of
     * its own. When this rejects, some may be stored; the same call, with a
     * {@link KeyedNewPet.idempotencyKey} for each, adds the others.
     * @experimental
     * @throws {InvalidArgumentError} when a field of an animal is invalid, or there are none or
     * more than 100
     * @example const results = await client.experimental.createPets([{ name: "Rex", categoryId: 7
     * }, { name: "Mia", categoryId: 7 }]); for (const { pet, error } of results)
     * console.log(pet?.id ?? error?.message);
     */
    createPets(pets: readonly KeyedNewPet[], options?: RequestOptions): Result<BatchResult<Form>[]>;
    /**
     * Changes some fields of an animal, such as its status to reserve it, and resolves to the whole
     * animal. Fields that are left out stay as they are. Once this resolves, the change is stored
     * durably. Retries never make it twice: see {@link CreateOptions.idempotencyKey}.
     * @experimental
     * @param petId a 64-bit integer in any form: a safe `number`, a `bigint` or decimal digits
     * @throws {InvalidArgumentError} when the id or a change is invalid, or there is no change
     * @throws {NotFoundError} when there is no animal with this id
     * @throws {ConflictError} with the code `status_changed` when the animal has another status
     * than {@link UpdateOptions.ifStatus}
     * @throws {ConflictError} with the code `reference_taken` when another animal has the reference
     * @throws {BadRequestError} with the code `idempotency_key_reused` when the key was used for a
     * different request
     * @example
     * await client.experimental.updatePet(17, { status: "pending" }, { ifStatus: "available" });
     */
    updatePet(
      petId: number | bigint | string,
      changes: PetChanges,
      options?: UpdateOptions,
    ): Result<Pet<Form>>;
    /**
     * Removes an animal. Once this resolves, the removal is stored durably. Requires the scope
     * `remove`. Retries are safe: see {@link CreateOptions.idempotencyKey}.
     * @experimental
     * @param petId a 64-bit integer in any form: a safe `number`, a `bigint` or decimal digits
     * @throws {InvalidArgumentError} when the id is none of these
     * @throws {NotFoundError} when there is no animal with this id
     * @throws {ConflictError} with the code `status_changed` when the animal has another status
     * than {@link UpdateOptions.ifStatus}
     * @throws {BadRequestError} with the code `idempotency_key_reused` when the key was used for a
     * different request
     */
    deletePet(petId: number | bigint | string, options?: UpdateOptions): Result<void>;
    /**
     * Lists orders in ascending order of id. Only the `id` of an order is guaranteed. Requires the
     * scope `orders`.
     * @experimental
     * @throws {InvalidArgumentError} synchronously, when a field of the query is invalid
     */
    listOrders(query?: ListOrdersQuery, options?: RequestOptions): PageList<Order<Form>>;
  };
}

/** The query of {@link PetstoreClient.listPets}. */
export interface ListPetsQuery extends ListOrdersQuery {
  /**
   * Only animals of this category: a 64-bit integer in any form.
   * @default animals of every category
   */
  categoryId?: number | bigint | string | undefined;
  /**
   * Only animals with this status.
   * @default animals of every status
   */
  status?: PetStatus | undefined;
  /**
   * Only the animal with this reference: a list of at most one.
   * @default animals with any reference, or none
   */
  reference?: string | undefined;
}

/** The query of a list of orders. */
export interface ListOrdersQuery {
  /**
   * Maximum number of items on a page, 1 to 100. Iteration continues with the next page.
   * @default 20
   */
  limit?: number | undefined;
  /**
   * The start of the page: {@link Page.next} of the previous page of the same list, with the same
   * filters.
   * @default the beginning
   */
  cursor?: string | undefined;
}

/**
 * Creates a client. Sends no request.
 *
 * @throws {InvalidArgumentError} naming the missing or invalid option
 * @example const client = createPetstoreClient({ baseUrl: "https://petstore.example/v1", apiKey:
 * "pst_live_…" }); for await (const pet of client.listPets({ status: "available" }))
 * console.log(pet.name);
 */
export function createPetstoreClient(options?: PetstoreClientOptions): PetstoreClient;
// Any other form needs the option: without it, the type would promise integers that the client does
// not return.
export function createPetstoreClient<Form extends Int64Form>(
  options: PetstoreClientOptions<Form> & { int64: Form },
): PetstoreClient<Form>;
export function createPetstoreClient<Form extends Int64Form>(
  options?: PetstoreClientOptions<Form>,
): PetstoreClient<Form> {
  const settings = resolveOptions(options);
  const decodePet = decodeObject<Pet<Form>>(petChecks, settings.int64);

  function call<Data, Options extends CreateOptions>(
    outgoing: Outgoing<Data>,
    names: Names<Options>,
    callOptions: Options | undefined,
  ): Promise<Incoming<Data>> {
    const taken: CreateOptions = take("options", names, callOptions);
    // What could take effect twice takes a key. Made only then: not every runtime has the means.
    if ("idempotencyKey" in names && taken.idempotencyKey === undefined)
      taken.idempotencyKey = randomKey();
    return send(overrideSettings(settings, taken), { ...outgoing, ...taken });
  }

  function list<Item, Query extends ListPetsQuery>(
    operation: string,
    path: string,
    checks: FieldChecks,
    callOptions: RequestOptions | undefined,
    names: Names<Query>,
    given: Query | undefined,
  ): PageList<Item> {
    const taken = take("query", names, given);
    const query = { ...taken, categoryId: toExact(taken.categoryId) };
    checkFields(query, queryChecks);
    const decode = decodeList<Item>(checks, settings.int64);
    return pageList(operation, query, (page, past) =>
      call(
        { operation, method: "GET", path: withQuery(path, page), past, decode },
        requestOptions,
        callOptions,
      ),
    );
  }

  function callPet<Options extends CreateOptions, Data = Pet<Form>>(
    operation: OperationName,
    method: string,
    path: string,
    names: Names<Options>,
    callOptions?: Options,
    body?: object,
  ): Promise<Incoming<Data>> {
    const decode = decodePet as Decode<Data>; // not called after a removal
    return call(
      { operation, method, path, decode, json: body && toJson(body) },
      names,
      callOptions,
    );
  }

  return {
    listPets: (query, callOptions) =>
      list("listPets", "/pets", petChecks, callOptions, petsQuery, query),

    createPet: (pet, callOptions) =>
      toResult(
        async () =>
          await callPet("createPet", "POST", "/pets", createOptions, callOptions, toNewPet(pet)),
      ),

    getPet: (petId, callOptions) =>
      toResult(
        async () => await callPet("getPet", "GET", petPath(petId), requestOptions, callOptions),
      ),

    withOptions: (changed) =>
      createPetstoreClient<Form>({
        ...settings,
        ...take("options", replaceableOptions, changed),
      } as never),

    experimental: {
      createPets: (pets, callOptions) =>
        toResult(async () => {
          const json = toJson(toBatch(pets, randomKey));
          const decode = decodeBatch<Form>(settings.int64, pets.length);
          const outgoing = {
            operation: "createPets",
            method: "POST",
            path: "/pet-batches",
            json,
            decode,
          };
          return await call(outgoing, requestOptions, callOptions);
        }),

      updatePet: (petId, changes, callOptions) =>
        toResult(async () => {
          const path = changePath(petId, callOptions);
          return await callPet(
            "updatePet",
            "PATCH",
            path,
            updateOptions,
            callOptions,
            toChanges(changes),
          );
        }),

      deletePet: (petId, callOptions) =>
        toResult(
          async () =>
            await callPet(
              "deletePet",
              "DELETE",
              changePath(petId, callOptions),
              updateOptions,
              callOptions,
            ),
        ),

      listOrders: (query, callOptions) =>
        list("listOrders", "/store/orders", orderChecks, callOptions, ordersQuery, query),
    },
  };
}

/** The path of an animal, with the condition of a change. */
function changePath(petId: number | bigint | string, options?: UpdateOptions): string {
  const query = { ifStatus: options?.ifStatus };
  checkFields(query, queryChecks);
  return withQuery(petPath(petId), query);
}

const orderChecks: Checks<Order, Order<"string">> = { id: int64 };

const ordersQuery: Names<ListOrdersQuery> = { limit: true, cursor: true };

const petsQuery: Names<ListPetsQuery> = {
  limit: true,
  categoryId: true,
  status: true,
  reference: true,
  cursor: true,
};

const queryChecks = {
  limit: optional(isPageLimit, pageLimitRule),
  categoryId: optional(...int64Argument),
  status: optionalStatus,
  ifStatus: optionalStatus,
  reference: optionalReference,
} satisfies Record<Exclude<keyof ListPetsQuery, "cursor">, Check> & FieldChecks;

/**
 * A new idempotency key. Not `randomUUID`, which browsers do not offer to pages loaded over plain
 * HTTP.
 * @throws {InvalidArgumentError} where there is no `crypto`, as in React Native
 */
function randomKey(): string {
  if (typeof crypto === "undefined")
    failArgument("idempotencyKey", "passed: there is no crypto.getRandomValues");
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
