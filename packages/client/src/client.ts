import { isInt64, type Int64 } from "@petstore/contract/int64";
import type { Order } from "@petstore/contract/order";
import type { NewPet, Pet, PetStatus } from "@petstore/contract/pet";
import { idempotencyKeyRule, isName, isPageLimit, nameRule, pageLimitRule, statusRule } from "@petstore/contract/rules";
import { idempotencyKeyPattern, petStatuses } from "@petstore/contract/values";
import type { ResponseFacts } from "./errors.ts";
import {
  check,
  overrideSettings,
  resolveOptions,
  withoutUndefined,
  type CreateOptions,
  type PetstoreClientOptions,
  type RequestOptions,
} from "./options.ts";
import { pageList, type PageList } from "./pages.ts";
import { send, type Incoming, type Outgoing } from "./request.ts";

/**
 * The Petstore service, as a program calls it.
 *
 * Every call may reject with {@link ApiError} when the service responds with an error, {@link ConnectionError} or
 * {@link TimeoutError} when no whole response arrives, {@link DecodeError} when a response breaks the contract, and with the reason of
 * its `signal` when that aborts. A wrong argument or option is an {@link InvalidArgumentError} that names it; nothing has been
 * sent then.
 */
export interface PetstoreClient {
  /**
   * Lists animals in ascending order of id. Nothing is fetched until the list is awaited or walked.
   * @throws {InvalidArgumentError} at once, and not when awaited, if a field of the query is wrong
   */
  listPets(query?: ListPetsQuery, options?: RequestOptions): PageList<Pet>;
  /**
   * Adds an animal. Once this resolves the animal is stored durably. Retries cannot add it twice: see
   * {@link CreateOptions.idempotencyKey}.
   * @throws {InvalidArgumentError} when a field of the animal is wrong
   * @throws {BadRequestError} with the code `idempotency_key_reused` when the key came with another animal before
   */
  createPet(pet: NewPet, options?: CreateOptions): Result<Pet>;
  /**
   * Fetches one animal.
   * @deprecated The service removes this on 5 December 2030. Use {@link PetstoreClient.listPets} with a `status`.
   * @param petId as a string, in decimal digits
   * @throws {NotFoundError} when there is no such animal; after the removal, with the code `operation_removed`
   */
  getPet(petId: Int64 | string, options?: RequestOptions): Result<Pet>;
  /** Operations that may change or go in any release. */
  experimental: {
    /**
     * Lists orders in ascending order of id. Nothing beyond `id` is promised. Needs an API key with the scope `orders`.
     * @experimental
     * @throws {InvalidArgumentError} at once, and not when awaited, if a field of the query is wrong
     */
    listOrders(query?: ListOrdersQuery, options?: RequestOptions): PageList<Order>;
  };
}

/** Which animals to list, and how many at a time. */
export interface ListPetsQuery extends ListOrdersQuery {
  /**
   * Only animals with this status.
   * @default animals of every status
   */
  status?: PetStatus | undefined;
}

/** How many orders to list at a time, and from where. */
export interface ListOrdersQuery {
  /**
   * The most items of one page, 1 to 100. A walk through all pages goes on after it.
   * @default 20
   */
  limit?: number | undefined;
  /**
   * Where to start: {@link Page.next} of an earlier page of the same list, with the same `status`.
   * @default the beginning
   */
  cursor?: string | undefined;
}

/** The result of a call: `await` it for the data alone. */
export interface Result<Data> extends Promise<Data> {
  /** The data, and what came with it: the status, the headers, the request id. Sends nothing again. */
  withResponse(): Promise<{ data: Data; response: ResponseFacts }>;
}

/**
 * Makes a client. Makes no request.
 *
 * @throws {InvalidArgumentError} naming the option that is missing or wrong
 * @example
 * const client = createPetstoreClient({ baseUrl: "https://petstore.example/v1", apiKey: "pst_live_…" });
 * for await (const pet of client.listPets({ status: "available" })) console.log(pet.name);
 */
export function createPetstoreClient(options: PetstoreClientOptions = {}): PetstoreClient {
  const settings = resolveOptions(options);

  function call<Data>(outgoing: Outgoing<Data>, callOptions: RequestOptions = {}): Promise<Incoming<Data>> {
    return send(overrideSettings(settings, callOptions), outgoing, callOptions.signal);
  }

  function list<Item>(
    operation: string,
    path: string,
    { limit, status, cursor }: ListPetsQuery,
    isItem: (value: unknown) => value is Item,
    callOptions?: RequestOptions,
  ): PageList<Item> {
    check(limit === undefined || isPageLimit(limit), "limit", pageLimitRule);
    checkStatus(status);
    const isItems = (body: unknown): body is Item[] => Array.isArray(body) && body.every(isItem);
    const query = new URLSearchParams(withoutUndefined({ limit, status, cursor }) as Record<string, string>).toString();
    return pageList(settings.baseUrl + path, query && `?${query}`, (search) =>
      call<Item[]>({ operation, method: "GET", path: path + search, isData: isItems }, callOptions),
    );
  }

  return {
    listPets: (query = {}, callOptions) => list("listPets", "/pets", query, isPet, callOptions),

    createPet: (pet, { idempotencyKey = randomKey(), ...callOptions } = {}) =>
      toResult(async () => {
        const { name, categoryId, status } = Object(pet) as NewPet;
        check(isName(name), "name", nameRule);
        check(isInt64(categoryId), "categoryId", "a 64-bit integer");
        checkStatus(status);
        const isKey = typeof idempotencyKey === "string" && idempotencyKeyPattern.test(idempotencyKey);
        check(isKey, "idempotencyKey", idempotencyKeyRule);
        const body: Required<NewPet> = { name, categoryId, status };
        return await call(
          { operation: "createPet", method: "POST", path: "/pets", isData: isPet, idempotencyKey, body },
          callOptions,
        );
      }),

    getPet: (petId, callOptions) =>
      toResult(async () => {
        const isId = typeof petId === "string" ? !/^\.{0,2}$|\p{Cs}/u.test(petId) : isInt64(petId);
        check(isId, "petId", "a 64-bit integer");
        const path = `/pets/${encodeURIComponent(petId.toString())}`;
        return await call({ operation: "getPet", method: "GET", path, isData: isPet }, callOptions);
      }),

    experimental: {
      listOrders: (query = {}, callOptions) => list("listOrders", "/store/orders", query, isOrder, callOptions),
    },
  };
}

/** Starts a call, and lets its caller choose between the data alone and the data with what came with it. */
function toResult<Data>(start: () => Promise<Incoming<Data>>): Result<Data> {
  const whole = start();
  const result = whole.then(({ data }) => data);
  return Object.assign(result, {
    withResponse() {
      result.catch(() => {}); // a failure is heard of there
      return whole;
    },
  });
}

function checkStatus(status: PetStatus | undefined): void {
  check(status === undefined || isStatus(status), "status", statusRule);
}

function isStatus(status: unknown): boolean {
  return petStatuses.includes(status as PetStatus);
}

/** What each field of an animal in a response must be. Fields beside these come from a newer service and are let through. */
const petFields: Record<keyof Pet, (value: unknown) => boolean> = {
  id: isInt64,
  name: (value) => typeof value === "string",
  categoryId: isInt64,
  status: isStatus,
};

function isPet(value: unknown): value is Pet {
  return Object.entries(petFields).every(([name, isRight]) => isRight(Object(value)[name]));
}

function isOrder(value: unknown): value is Order {
  return isInt64((Object(value) as Partial<Order>).id);
}

/** Not `randomUUID`, which browsers keep from pages that came over plain HTTP. */
function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
