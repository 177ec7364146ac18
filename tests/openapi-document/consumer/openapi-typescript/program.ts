import createClient from "openapi-fetch";
import { exercise } from "../exercise.ts";
import type { components, paths } from "./generated/client.ts";

type Pet = components["schemas"]["Pet"];

export async function useClient({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<unknown> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });

  const results = await exercise<Pet>({
    async create(name) {
      const { data, error, response } = await client.POST("/pets", {
        params: { header: { "Idempotency-Key": `key of ${name}` } },
        body: { name, categoryId: 7 },
      });
      if (error) throw new Error(error.message);
      return { data, headers: response.headers };
    },
    async list(query) {
      const { data, error, response } = await client.GET("/pets", { params: { query } });
      if (error) throw new Error(error.message);
      return { data, headers: response.headers };
    },
  });

  const stranger = createClient<paths>({ baseUrl, headers: { Authorization: "Bearer pst_test_wrong" } });
  const { error: rejection } = await stranger.GET("/pets");
  return { ...results, rejection, isInvalidKey: rejection?.code === "invalid_api_key" };
}

export async function makeMistakes(): Promise<void> {
  const client = createClient<paths>();
  // @ts-expect-error -- not a status
  const { error } = await client.GET("/pets", { params: { query: { status: "lost" } } });
  // @ts-expect-error -- a category is missing
  await client.POST("/pets", { body: { name: "Rex" } });
  // A newer service may send codes of its own.
  if (error?.code === "too_many_animals") throw new Error(error.message);
}
