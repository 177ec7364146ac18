import { nextCursor } from "../next-cursor.ts";
import { createClient, createConfig } from "./generated/client/index.ts";
import { createPet, listPets, type Pet } from "./generated/index.ts";

export async function useClient({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<unknown> {
  const client = createClient(createConfig({ baseUrl, auth: apiKey }));

  const create = async (name: string): Promise<{ pet: Pet; isReplay: boolean }> => {
    const { data, response } = await createPet({
      client,
      headers: { "Idempotency-Key": `key of ${name}` },
      body: { name, categoryId: 7 },
      throwOnError: true,
    });
    return { pet: data, isReplay: response.headers.has("Idempotent-Replayed") };
  };
  const [created, repeated] = [await create("Rex"), await create("Rex")];
  for (const name of ["Tom", "Kim"]) await create(name);

  const pages: Pet[][] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 2, status: "available" as const, ...(cursor && { cursor }) };
    const { data, response } = await listPets({ client, query, throwOnError: true });
    pages.push(data);
    cursor = nextCursor(response);
  } while (cursor);

  const { error: refusal } = await listPets({ client, auth: "pst_test_wrong" });
  return { created, repeated, pages, refusal, isInvalidKey: refusal?.code === "invalid_api_key" };
}

export async function makeMistakes(): Promise<void> {
  // @ts-expect-error -- not a status
  const { error } = await listPets({ query: { status: "lost" } });
  // @ts-expect-error -- a category is missing
  await createPet({ body: { name: "Rex" } });
  // @ts-expect-error -- not a code
  if (error?.code === "lost") throw new Error(error.message);
}
