import createClient from "openapi-fetch";
import { nextCursor } from "../next-cursor.ts";
import type { components, paths } from "./generated/client.ts";

type Pet = components["schemas"]["Pet"];

export async function useClient({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<unknown> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });

  const create = async (name: string): Promise<{ pet: Pet; isReplay: boolean }> => {
    const { data, error, response } = await client.POST("/pets", {
      params: { header: { "Idempotency-Key": `key of ${name}` } },
      body: { name, categoryId: 7 },
    });
    if (error) throw new Error(error.message);
    return { pet: data, isReplay: response.headers.has("Idempotent-Replayed") };
  };
  const [created, repeated] = [await create("Rex"), await create("Rex")];
  for (const name of ["Tom", "Kim"]) await create(name);

  const pages: Pet[][] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 2, status: "available" as const, ...(cursor && { cursor }) };
    const { data, error, response } = await client.GET("/pets", { params: { query } });
    if (error) throw new Error(error.message);
    pages.push(data);
    cursor = nextCursor(response);
  } while (cursor);

  const stranger = createClient<paths>({ baseUrl, headers: { Authorization: "Bearer pst_test_wrong" } });
  const { error: refusal } = await stranger.GET("/pets");
  return { created, repeated, pages, refusal, isInvalidKey: refusal?.code === "invalid_api_key" };
}

export async function makeMistakes(): Promise<void> {
  const client = createClient<paths>();
  // @ts-expect-error -- not a status
  const { error } = await client.GET("/pets", { params: { query: { status: "lost" } } });
  // @ts-expect-error -- a category is missing
  await client.POST("/pets", { body: { name: "Rex" } });
  // @ts-expect-error -- not a code
  if (error?.code === "lost") throw new Error(error.message);
}
