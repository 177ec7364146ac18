import {
  ApiError,
  checkNewPet,
  createPetstoreClient,
  InterceptedError,
  isApiError,
  isPetstoreError,
  NotFoundError,
  TimeoutError,
  type ErrorCode,
  type Int64,
  type NewPet,
  type Page,
  type Pet,
  type PetChanges,
  type PetstoreClient,
} from "@petstore/client";
import { compareInt64, parseInt64, parseJson, stringifyJson } from "@petstore/client/int64";
import { createPetstoreFake, type Fault, type PetstoreFake } from "@petstore/client/testing";

declare function show(...values: unknown[]): void;

const client: PetstoreClient = createPetstoreClient({
  apiKey: async () => "pst_live_…",
  baseUrl: new URL("https://petstore.example/v1"),
  fetch: (input, init) => fetch(input, init),
  headers: { "X-Shop": "north" },
  maxRetries: undefined,
  onEvent(event) {
    if (event.type === "retry") show(event.delayMs, event.error);
    if (event.type === "deprecation") show(event.sunset?.getTime());
  },
});

export async function useWholeSurface(signal: AbortSignal): Promise<void> {
  const page: Page<Pet> = await client.listPets({ status: "sold", limit: undefined }, { signal });
  const next: string | undefined = page.next;
  for await (const { name } of client.listPets({ cursor: next })) show(name);
  for await (const order of client.experimental.listOrders()) show(order.id, order["note"]);

  const changes: PetChanges = { status: "pending", categoryId: "9223372036854775807" };
  show(
    (await client.experimental.updatePet(1n, changes, { ifStatus: "available", signal })).status,
  );

  const newPet: NewPet = { name: "Rex", categoryId: 9223372036854775807n };
  for (const { field, message } of checkNewPet({ name: "", status: "lost" }))
    show(newPet[field], message);
  const { data, response } = await client
    .createPet(newPet, { idempotencyKey: "first" })
    .withResponse();
  const id: Int64 = data.id;
  show(response.headers.get("Location"), response.retries, (await client.getPet(id)).name);

  // @ts-expect-error -- not a status
  await client.listPets({ status: "lost" });
  // @ts-expect-error -- not a field that can change
  await client.experimental.updatePet(1, { id: 2 });
  // @ts-expect-error -- a category is missing
  await client.createPet({ name: "Rex" });
  // @ts-expect-error -- a limit is required
  await client.listPets().toArray();
}

export async function useForms(): Promise<void> {
  const strings: PetstoreClient<"string"> = createPetstoreClient({ int64: "string" }).withOptions({
    headers: { "User-Agent": "shop/1" },
  });
  const { id }: Pet<"string"> = await strings.createPet({ name: "Rex", categoryId: "7" });
  const text: string = id;
  const large: number = (await createPetstoreClient({ int64: "number" }).getPet(text)).categoryId;
  show(parseInt64(text), compareInt64(1, "2"), parseJson(stringifyJson({ large })));
  // @ts-expect-error -- not a form
  createPetstoreClient({ int64: "bigint" });
}

export async function usePages(): Promise<Page<Pet>> {
  const list = client.listPets(
    {},
    { fetchOptions: { cache: "no-store", dispatcher: {} }, headers: new Headers() },
  );
  for (const pet of (await list).data) show(pet);
  show(await list.catch(explain), (await list.withResponse()).response.next);
  for await (const { data, next } of list.pages()) show(data.length, next);
  // @ts-expect-error -- the client sets the method
  void client.listPets({}, { fetchOptions: { method: "POST" } });
  return list;
}

export function explain(error: unknown): string {
  if (isApiError(error, "pet_not_found")) return error.requestId ?? "";
  if (error instanceof NotFoundError || error instanceof ApiError)
    return explainCode(error.code as ErrorCode);
  if (error instanceof TimeoutError) return error.name;
  if (error instanceof InterceptedError) return `${error.status} ${error.body}`;
  return isPetstoreError(error) ? JSON.stringify(error.toJSON()) : "";
}

function explainCode(code: ErrorCode): string {
  return code === "rate_limited" ? "slower" : code;
}

export async function useFake(fault: Fault): Promise<string[]> {
  const petstore: PetstoreFake = createPetstoreFake({ pets: [{ name: "Rex", categoryId: 7 }] });
  petstore.faults.push(
    fault,
    { status: 503, retryAfter: 1 },
    { connection: "lost", operation: "createPet" },
  );
  await createPetstoreClient(petstore).listPets();
  return petstore.requests.map(({ method, url }) => `${method} ${url}`);
}
