import {
  ApiError,
  createPetstoreClient,
  isApiError,
  isPetstoreError,
  NotFoundError,
  TimeoutError,
  type ErrorCode,
  type Int64,
  type NewPet,
  type Page,
  type Pet,
  type PetstoreClient,
} from "@petstore/client";
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
    if (event.type === "deprecation") show(event.sunset.getTime());
  },
});

export async function useWholeSurface(signal: AbortSignal): Promise<void> {
  const page: Page<Pet> = await client.listPets({ status: "sold", limit: undefined }, { signal });
  const next: string | undefined = page.next;
  for await (const { data } of client.listPets({ cursor: next }).pages()) show(data.length);
  for await (const order of client.experimental.listOrders()) show(order.id, order["note"]);

  const newPet: NewPet = { name: "Rex", categoryId: 9223372036854775807n };
  const { data, response } = await client.createPet(newPet, { idempotencyKey: "first" }).withResponse();
  const id: Int64 = data.id;
  show(response.headers.get("Location"), response.retries, (await client.getPet(id)).name);

  // @ts-expect-error -- not a status
  await client.listPets({ status: "lost" });
  // @ts-expect-error -- a category is missing
  await client.createPet({ name: "Rex" });
  // @ts-expect-error -- a limit is required
  await client.listPets().toArray();
}

export function explain(error: unknown): string {
  if (isApiError(error, "pet_not_found")) return error.requestId ?? "";
  if (error instanceof NotFoundError || error instanceof ApiError) return explainCode(error.code as ErrorCode);
  if (error instanceof TimeoutError) return error.phase;
  return isPetstoreError(error) ? JSON.stringify(error.toJSON()) : "";
}

function explainCode(code: ErrorCode): string {
  return code === "rate_limited" ? "slower" : code;
}

export async function useFake(fault: Fault): Promise<string[]> {
  const petstore: PetstoreFake = createPetstoreFake({ pets: [{ name: "Rex", categoryId: 7 }] });
  petstore.faults.push(fault, { status: 503, retryAfter: 1 }, { connection: "lost", operation: "createPet" });
  await createPetstoreClient(petstore).listPets();
  return petstore.requests.map(({ method, url }) => `${method} ${url}`);
}
