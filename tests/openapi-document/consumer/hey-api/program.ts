import { exercise } from "../exercise.ts";
import { createClient, createConfig } from "./generated/client/index.ts";
import { createPet, listPets, type Pet } from "./generated/index.ts";

export async function useClient({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<unknown> {
  const client = createClient(createConfig({ baseUrl, auth: apiKey }));

  const results = await exercise<Pet>({
    async create(name) {
      const headers = { "Idempotency-Key": `key of ${name}` };
      const { data, response } = await createPet({
        client,
        headers,
        body: { name, categoryId: 7 },
        throwOnError: true,
      });
      return { data, headers: response.headers };
    },
    async list(query) {
      const { data, response } = await listPets({ client, query, throwOnError: true });
      return { data, headers: response.headers };
    },
  });

  const { error: rejection } = await listPets({ client, auth: "pst_test_wrong" });
  return { ...results, rejection, isInvalidKey: rejection?.code === "invalid_api_key" };
}

export async function makeMistakes(): Promise<void> {
  // @ts-expect-error -- not a status
  const { error } = await listPets({ query: { status: "lost" } });
  // @ts-expect-error -- a category is missing
  await createPet({ body: { name: "Rex" } });
  // A newer service may send codes of its own.
  if (error?.code === "too_many_animals") throw new Error(error.message);
}
