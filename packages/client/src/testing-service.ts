import type { ErrorCode, Int64, NewPet, Order, Pet, PetStatus } from "@petstore/contract";
import { isInt64, isTooDeep, parseInt64, parseJson, stringifyJson, toInt64 } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import {
  basePath,
  errorStatuses,
  getPetDeprecation,
  idempotencyKeyPattern,
  idempotencyWindowMs,
  isName,
  maxBodyBytes,
  maxBodyDepth,
  pageLimit,
  petStatuses,
  reservedIds,
} from "@petstore/contract/values";

/** An operation of the service, by its name in the contract. */
export type FakeOperation = "listPets" | "createPet" | "getPet" | "listOrders";

/** A request that has arrived whole. */
export interface ServiceRequest {
  method: string;
  url: URL;
  headers: Headers;
  body: Uint8Array;
}

export interface ServiceAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

export interface ServiceOptions {
  /** In ascending order of id. Grows. */
  pets: Pet[];
  /** In ascending order of id. */
  orders: readonly Order[];
  apiKey: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** What the service does with a request, from its path to the answer. Knows neither connections nor faults. */
export function createService({ pets, orders, apiKey, now }: ServiceOptions) {
  const replays = new Map<string | null, { pet: Pet; expiresAt: number }>();
  const cursors = new Map<string | null, { list: string; after: Int64 }>();
  let newRequestIds = 0;

  const operations: Record<FakeOperation, (request: ServiceRequest, petId: string) => ServiceAnswer> = {
    listPets({ url: { searchParams: query } }) {
      checkQuery(query, ["limit", "status", "cursor"]);
      const status = query.get("status");
      const found = status === null ? pets : pets.filter((pet) => pet.status === status);
      return page(`pets ${status}`, found, query, status === null ? {} : { status });
    },

    createPet({ headers, body }) {
      const newPet = readBody(headers, body);
      const key = headers.get("Idempotency-Key");
      const isKeyRight = key === null || idempotencyKeyPattern.test(key);
      refuseIf([...(isKeyRight ? [] : [`header idempotency-key ${expected.idempotencyKey}`]), ...petProblems(newPet)]);
      const { pet: first, expiresAt = 0 } = replays.get(key) ?? {};
      if (first === undefined || expiresAt <= now()) {
        const pet = addPet(pets, newPet as NewPet);
        if (key !== null) replays.set(key, { pet, expiresAt: now() + idempotencyWindowMs });
        return answerJson(201, pet, location(pet));
      }
      if (stringifyJson(toPet(first.id, newPet as NewPet)) !== stringifyJson(first)) {
        throw new Refusal(
          "idempotency_key_reused",
          "This Idempotency-Key was used for a different animal. Use a new one.",
        );
      }
      return answerJson(201, first, { ...location(first), "Idempotent-Replayed": "true" });
    },

    getPet(_request, petId) {
      const { successor } = getPetDeprecation;
      if (isGetPetRemoved()) {
        throw new Refusal(
          "operation_removed",
          `This operation has been removed. Use ${successor.description} instead.`,
        );
      }
      const id = parseInt64(decode(petId));
      const pet = pets.find((each) => each.id === id);
      if (pet === undefined) throw new Refusal("pet_not_found", "There is no animal with this id.");
      return answerJson(200, pet);
    },

    listOrders({ url: { searchParams: query } }) {
      checkQuery(query, ["limit", "cursor"]);
      return page("orders", orders, query);
    },
  };

  function isGetPetRemoved(): boolean {
    return now() >= Date.parse(getPetDeprecation.sunset);
  }

  function location({ id }: Pet): Record<string, string> {
    return isGetPetRemoved() ? {} : { Location: `pets/${id}` };
  }

  /** @param list what a cursor is good for */
  function page(list: string, items: readonly { id: Int64 }[], query: URLSearchParams, filters = {}): ServiceAnswer {
    const limit = Number(query.get("limit") ?? pageLimit.default);
    const start = cursors.get(query.get("cursor"));
    if (query.has("cursor") && start?.list !== list) {
      refuseIf([`query cursor ${expected.cursor}, with the same filters`]);
    }
    const rest = start === undefined ? items : items.filter(({ id }) => id > start.after);
    const data = rest.slice(0, limit);
    const last = data.at(-1);
    if (rest.length <= limit || last === undefined) return answerJson(200, data);
    const cursor = btoa(`${list} ${last.id}`);
    cursors.set(cursor, { list, after: last.id });
    const next = new URLSearchParams({ cursor, limit: String(limit), ...filters });
    return answerJson(200, data, { Link: `<?${next.toString()}>; rel="next"` });
  }

  function authenticate(headers: Headers): void {
    const authorization = headers.get("Authorization") ?? "";
    const challenge = 'Bearer realm="petstore"';
    if (!/^bearer(?![\w!#$%&'*+.^`|~-])/i.test(authorization)) {
      const message = "Send an API key: Authorization: Bearer <API key>.";
      throw new Refusal("missing_api_key", message, { "WWW-Authenticate": challenge });
    }
    if (/^bearer +(\S+)$/i.exec(authorization)?.[1] !== apiKey) {
      const invalid = { "WWW-Authenticate": `${challenge}, error="invalid_token"` };
      throw new Refusal("invalid_api_key", "The API key is not valid.", invalid);
    }
  }

  function perform(request: ServiceRequest): ServiceAnswer {
    const { method, headers } = request;
    const { operation, petId, allow } = findRoute(request);
    if (allow === undefined) throw new Refusal("route_not_found", "There is nothing at this path.");
    if (method === "OPTIONS") return { status: 204, headers: { Allow: allow }, text: "" };
    if (operation === undefined) {
      throw new Refusal("method_not_allowed", `This method is not allowed here. Use ${allow}.`, { Allow: allow });
    }
    authenticate(headers);
    return operations[operation](request, petId);
  }

  function performOrRefuse(request: ServiceRequest): ServiceAnswer {
    try {
      return perform(request);
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  }

  /** @param failure what the service answers without looking at the request */
  return function serve(request: ServiceRequest, failure?: ServiceAnswer): ServiceAnswer {
    const { status, headers, text } = failure ?? performOrRefuse(request);
    const requestId = request.headers.get("X-Request-Id") ?? "";
    const common = {
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": /^[A-Za-z0-9._-]{1,64}$/.test(requestId) ? requestId : `fake-${++newRequestIds}`,
      ...(findRoute(request).operation === "getPet" && deprecationHeaders),
    };
    return { status, headers: { ...common, ...headers }, text };
  };
}

const routes: readonly { path: RegExp; operations: Readonly<Record<string, FakeOperation>> }[] = [
  { path: /^\/pets$/, operations: { GET: "listPets", POST: "createPet" } },
  { path: /^\/pets\/([^/]+)$/, operations: { GET: "getPet" } },
  { path: /^\/store\/orders$/, operations: { GET: "listOrders" } },
];

/** What a request asks for, if it is something that the service knows. `allow` lists the methods of its path. */
export function findRoute({ method, url: { pathname } }: Pick<ServiceRequest, "method" | "url">) {
  const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : "";
  for (const { path: pattern, operations } of routes) {
    const [isMatch, petId = ""] = pattern.exec(path) ?? [];
    if (isMatch === undefined) continue;
    const methods = Object.keys(operations).flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
    return {
      operation: operations[method === "HEAD" ? "GET" : method],
      petId,
      allow: [...methods, "OPTIONS"].join(", "),
    };
  }
  return { petId: "" };
}

/** Stores an animal. Without an id it gets one more than the largest that counts. */
export function addPet(pets: Pet[], newPet: NewPet, id?: Int64): Pet {
  const largest = pets.findLast((pet) => pet.id <= reservedIds.maximum);
  const pet = toPet(id ?? Math.max(0, Number(largest?.id ?? 0)) + 1, newPet);
  pets.splice(pets.findLastIndex((each) => each.id < pet.id) + 1, 0, pet);
  return pet;
}

function toPet(id: Int64, { name, categoryId, status = "available" }: NewPet): Pet {
  return { id: toInt64(BigInt(id)), name, categoryId: toInt64(BigInt(categoryId)), status };
}

/** What is wrong with an animal that somebody wants to add. */
export function petProblems(value: unknown): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`the body ${expected.object}`];
  const { name, categoryId, status = "available" } = value as Partial<NewPet>;
  const problems: string[] = [];
  if (!isName(name)) problems.push(`name ${expected.name}`);
  if (!isInt64(categoryId)) problems.push(`categoryId ${expected.int64}`);
  if (!petStatuses.includes(status)) problems.push(`status ${expected.status}`);
  return problems;
}

const isParameter = {
  limit(text: string): boolean {
    const limit = parseInt64(text) ?? 0;
    return limit >= pageLimit.minimum && limit <= pageLimit.maximum;
  },
  status: (text: string) => petStatuses.includes(text as PetStatus),
  cursor: (text: string) => text !== "",
};

function checkQuery(query: URLSearchParams, names: readonly (keyof typeof isParameter)[]): void {
  const wrong = names.filter((name) => {
    const values = query.getAll(name);
    return values.length > 1 || !values.every(isParameter[name]);
  });
  refuseIf(wrong.map((name) => `query ${name} ${expected[name]}`));
}

function readBody(headers: Headers, body: Uint8Array): unknown {
  if (body.length === 0) refuseIf([`the body is empty, but ${expected.object}`]);
  if ((headers.get("Content-Encoding") ?? "identity").toLowerCase() !== "identity") {
    const message = "The body must not have a content encoding.";
    throw new Refusal("unsupported_media_type", message, { "Accept-Encoding": "identity" });
  }
  const [type, ...parameters] = (headers.get("Content-Type") ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset=")) ?? "charset=utf-8";
  if (type !== "application/json" || !/^charset=("?)utf-8\1$/.test(charset)) {
    throw new Refusal("unsupported_media_type", "The body must be JSON in UTF-8: Content-Type: application/json.");
  }
  if (body.length > maxBodyBytes) {
    throw new Refusal("body_too_large", `The body must be at most ${maxBodyBytes} bytes long.`);
  }
  const text = decodeOrRefuse("valid UTF-8", () => new TextDecoder("utf-8", { fatal: true }).decode(body));
  if (isTooDeep(text, maxBodyDepth)) refuseIf([`the body nests deeper than ${maxBodyDepth} levels`]);
  return decodeOrRefuse("valid JSON", () => parseJson(text));
}

function decodeOrRefuse<Result>(form: string, read: () => Result): Result {
  try {
    return read();
  } catch {
    throw new Refusal("invalid_request", `the body is not ${form}.`);
  }
}

/** A part of a path. A `%` that starts no escape stands for itself. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A request that is answered with an error. */
class Refusal extends Error {
  readonly answer: ServiceAnswer;

  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.answer = answerError(errorStatuses[code], code, message, headers);
  }
}

function refuseIf(problems: readonly string[]): void {
  if (problems.length > 0) throw new Refusal("invalid_request", `${problems.join("; ")}.`);
}

/** An answer with an Error body. */
export function answerError(status: number, code: string, message: string, headers = {}): ServiceAnswer {
  return answerJson(status, { code, message, status }, headers);
}

function answerJson(status: number, body: unknown, headers = {}): ServiceAnswer {
  const text = stringifyJson(body);
  return { status, headers: { "Content-Type": "application/json; charset=utf-8", ...headers }, text };
}

const deprecationHeaders = {
  Deprecation: `@${Date.parse(getPetDeprecation.since) / 1000}`,
  Sunset: new Date(getPetDeprecation.sunset).toUTCString(),
  Link: `<${getPetDeprecation.successor.reference}>; rel="successor-version"`,
};
