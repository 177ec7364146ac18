import { isInt64, type Int64 } from "@petstore/contract/int64";
import type { Order } from "@petstore/contract/order";
import type { NewPet, Pet, PetStatus } from "@petstore/contract/pet";
import { isName, isPageLimit, nameRule, pageLimitRule, statusRule } from "@petstore/contract/rules";
import { petStatuses } from "@petstore/contract/values";
import { decodeList, int64Rule } from "./decode.ts";
import type { ResponseDetails } from "./errors.ts";
import {
  check,
  overrideSettings,
  resolveOptions,
  type CreateOptions,
  type PetstoreClientOptions,
  type RequestOptions,
} from "./options.ts";
import { pageList, type PageList } from "./pages.ts";
import { withQuery } from "./paths.ts";
import { checkKey, randomKey, rawRequest, type HttpMethod, type RawRequestOptions } from "./raw-request.ts";
import { send, type Decode, type Incoming, type Outgoing } from "./request.ts";

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
  /**
   * Sends any request to the service, for example to an operation that this version of the client does not know. It has everything that
   * the other calls have, such as the API key, retries, timeouts and exact integers, but checks neither the body nor the response.
   *
   * A POST is sent with an idempotency key, so that retries are safe. A PATCH is retried only if you pass a key. Events and errors name
   * the operation like `GET /pets/{id}`.
   * @param method the HTTP method, in upper case
   * @param path the path relative to the base URL, such as `/pets`; it may have a query
   * @returns the JSON of the response; `undefined` if it has no body
   * @throws {InvalidArgumentError} when the path would leave the base URL, or an argument is invalid
   * @example
   * const pets = await client.request<Pet[]>("GET", "/pets", { query: { status: "sold" } });
   */
  request<Data = unknown>(method: HttpMethod, path: string, options?: RawRequestOptions): Result<Data>;
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
    return pageList(withQuery(path, { limit, status, cursor }), (pagePath) =>
      call({ operation, method: "GET", path: pagePath, decode: decodeList(decode) }, callOptions),
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
        checkKey(idempotencyKey);
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

    request: <Data>(method: HttpMethod, path: string, rawOptions?: RawRequestOptions) =>
      toResult(async () => {
        const outgoing = rawRequest<Data>(settings.baseUrl, method, path, rawOptions);
        // A repeat of a request without a key could take effect twice.
        const isSafe = method !== "PATCH" || outgoing.idempotencyKey !== undefined;
        return await call(outgoing, isSafe ? rawOptions : { ...rawOptions, maxRetries: 0 });
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

/** The checks of the fields of an animal in a response, with their rules. Unknown fields come from a newer service and are kept. */
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
  if (!isInt64((Object(body) as Partial<Order>).id)) fail("id", int64Rule);
  return body as Order;
};

function isStatus(status: unknown): boolean {
  return petStatuses.includes(status as PetStatus);
}
