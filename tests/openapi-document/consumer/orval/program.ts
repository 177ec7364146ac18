import { exercise } from "../exercise.ts";
import { createPet, listPets, type Pet } from "./generated/client.ts";

// The generated code reads the base address from the environment.
export async function useClient({ apiKey }: { apiKey: string }): Promise<unknown> {
  const headers = { Authorization: `Bearer ${apiKey}` };

  const results = await exercise<Pet>({
    async create(name) {
      const options = { headers: { ...headers, "Idempotency-Key": `key of ${name}` } };
      const response = await createPet({ name, categoryId: 7 }, options);
      if (response.status !== 201) throw new Error(response.data.message);
      return response;
    },
    async list(query) {
      const response = await listPets(query, { headers });
      if (response.status !== 200) throw new Error(response.data.message);
      return response;
    },
  });

  const { status, data: rejection } = await listPets({}, { headers: { Authorization: "Bearer pst_test_wrong" } });
  const isInvalidKey = status === 401 && rejection.code === "invalid_api_key";
  return { ...results, rejection, isInvalidKey };
}

export async function makeMistakes(): Promise<void> {
  // @ts-expect-error -- not a status
  const { status, data } = await listPets({ status: "lost" });
  // @ts-expect-error -- a category is missing
  await createPet({ name: "Rex" });
  // A newer service may send codes of its own.
  if (status === 401 && data.code === "too_many_animals") throw new Error(data.message);
}
