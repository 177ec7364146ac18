import { isInt64, type Int64 } from "@petstore/contract/int64";
import type { Order } from "@petstore/contract/order";
import type { NewPet, Pet, PetStatus } from "@petstore/contract/pet";
import { idempotencyKeyRule, isName, isPageLimit, nameRule, pageLimitRule, statusRule } from "@petstore/contract/rules";
import { idempotencyKeyPattern, petStatuses } from "@petstore/contract/values";
import type { ResponseDetails } from "./errors.ts";
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
import { send, type Decode, type Incoming, type Outgoing } from "./request.ts";

const int64Rule = "a 64-bit integer";

/**
 * A client of the Petstore service. Its calls reject with:
 *
 * - {@link ApiError} when the service responds with an error
 * - {@link ConnectionError} or {@link TimeoutError} when no complete response arrives
 * - {@link DecodeError} when a response breaks the contract
 * - {@link InvalidArgumentError} when an argument or option is invalid; nothing was sent
 * - the reason of the `signal` when that aborts
 */
export interface PetstoreClient {
  /**
   * Lists animals in ascending order of id. Nothing is fetched until the list is awaited or iterated.
   * @throws {InvalidArgumentError} synchronously, when a field of the query is invalid
   */
  listPets(query?: ListPetsQuery, options?: RequestOptions): PageList<Pet>;
  /**
   * Adds an animal. Once this resolves, the animal is stored durably. Retries never add it twice: see
   * {@link CreateOptions.idempotencyKey}.
   * @throws {InvalidArgumentError} when a field of the animal is invalid
   * @throws {BadRequestError} with the code `idempotency_key_reused` when the key was used for a different animal
   */
  createPet(pet: NewPet, options?: CreateOptions): Result<Pet>;
  /**
   * Fetches one animal.
   * @deprecated The service will remove this on 5 December 2030. Use {@link PetstoreClient.listPets} with a `status` instead.
   * @param petId an integer, or its decimal digits as a string
   * @throws {NotFoundError} when there is no animal with this id; after the removal, with the code `operation_removed`
   */
  getPet(petId: Int64 | string, options?: RequestOptions): Result<Pet>;
  /** Operations that may change or disappear in any release. */
  experimental: {
    /**
     * Lists orders in ascending order of id. Only the `id` of an order is guaranteed. Requires the scope `orders`.
     * @experimental
     * @throws {InvalidArgumentError} synchronously, when a field of the query is invalid
     */
    listOrders(query?: ListOrdersQuery, options?: RequestOptions): PageList<Order>;
  };
}

/** The query of {@link PetstoreClient.listPets}. */
export interface ListPetsQuery extends ListOrdersQuery {
  /**
   * Only animals with this status.
   * @default animals of every status
   */
  status?: PetStatus | undefined;
}

/** The query of a list of orders. */
export interface ListOrdersQuery {
  /**
   * Maximum number of items on a page, 1 to 100. Iteration continues with the next page.
   * @default 20
   */
  limit?: number | undefined;
  /**
   * The start of the page: {@link Page.next} of the previous page of the same list, with the same `status`.
   * @default the beginning
   */
  cursor?: string | undefined;
}

/** The result of a call. `await` it to get only the data. */
export interface Result<Data> extends Promise<Data> {
  /** The data with the status, headers and request id of its response. Sends no further request. */
  withResponse(): Promise<{ data: Data; response: ResponseDetails }>;
}

/**
 * Creates a client. Sends no request.
 *
 * @throws {InvalidArgumentError} naming the missing or invalid option
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
    decode: Decode<Item>,
    callOptions?: RequestOptions,
  ): PageList<Item> {
    check(limit === undefined || isPageLimit(limit), "limit", pageLimitRule);
    checkStatus(status);
    const query = new URLSearchParams(withoutUndefined({ limit, status, cursor }) as Record<string, string>).toString();
    return pageList(settings.baseUrl + path, query && `?${query}`, (search) =>
      call<Item[]>({ operation, method: "GET", path: path + search, decode: decodeList(decode) }, callOptions),
    );
  }

  return {
    listPets: (query = {}, callOptions) => list("listPets", "/pets", query, decodePet, callOptions),

    createPet: (pet, { idempotencyKey = randomKey(), ...callOptions } = {}) =>
      toResult(async () => {
        const { name, categoryId, status } = Object(pet) as NewPet;
        check(isName(name), "name", nameRule);
        check(isInt64(categoryId), "categoryId", int64Rule);
        checkStatus(status);
        const isKey = typeof idempotencyKey === "string" && idempotencyKeyPattern.test(idempotencyKey);
        check(isKey, "idempotencyKey", idempotencyKeyRule);
        const body: Required<NewPet> = { name, categoryId, status };
        return await call(
          { operation: "createPet", method: "POST", path: "/pets", decode: decodePet, idempotencyKey, body },
          callOptions,
        );
      }),

    getPet: (petId, callOptions) =>
      toResult(async () => {
        const isId = typeof petId === "string" ? !/^\.{0,2}$|\p{Cs}/u.test(petId) : isInt64(petId);
        check(isId, "petId", int64Rule);
        const path = `/pets/${encodeURIComponent(petId.toString())}`;
        return await call({ operation: "getPet", method: "GET", path, decode: decodePet }, callOptions);
      }),

    experimental: {
      listOrders: (query = {}, callOptions) => list("listOrders", "/store/orders", query, decodeOrder, callOptions),
    },
  };
}

/** Starts a call. Its result is the data, or with `withResponse()` the data and the response. */
function toResult<Data>(start: () => Promise<Incoming<Data>>): Result<Data> {
  const incoming = start();
  const result = incoming.then(({ data }) => data);
  return Object.assign(result, {
    withResponse() {
      result.catch(() => {}); // the returned promise reports a failure
      return incoming;
    },
  });
}

function checkStatus(status: PetStatus | undefined): void {
  check(status === undefined || isStatus(status), "status", statusRule);
}

function isStatus(status: unknown): boolean {
  return petStatuses.includes(status as PetStatus);
}

/** The checks of the fields of an animal in a response, and their rules in words. Unknown fields come from a newer service and are kept. */
const petFields: Record<keyof Pet, [isValid: (value: unknown) => boolean, rule: string]> = {
  id: [isInt64, int64Rule],
  name: [(value) => typeof value === "string", "a string"],
  categoryId: [isInt64, int64Rule],
  status: [isStatus, statusRule],
};

const decodePet: Decode<Pet> = (body, fail) => {
  for (const [name, [isValid, rule]] of Object.entries(petFields)) if (!isValid(Object(body)[name])) fail(name, rule);
  return body as Pet;
};

const decodeOrder: Decode<Order> = (body, fail) => {
  if (!isInt64(Object(body).id)) fail("id", int64Rule);
  return body as Order;
};

function decodeList<Item>(decodeItem: Decode<Item>): Decode<Item[]> {
  return (body, fail) => {
    if (!Array.isArray(body)) return fail("body", "an array");
    return body.map((item, index) => decodeItem(item, (field, expected) => fail(`[${index}].${field}`, expected)));
  };
}

/** Not `randomUUID`, which browsers do not offer to pages loaded over plain HTTP. */
function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
