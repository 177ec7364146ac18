import { createClient, createConfig } from "./generated/client/index.ts";
import { createPet, listPets, type Pet } from "./generated/index.ts";

/** Adds animals, one of them twice, follows the pages, and calls with a wrong key. */
export async function useClient({
  baseUrl,
  apiKey,
}: {
  baseUrl: string;
  apiKey: string;
}): Promise<unknown> {
  const client = createClient(createConfig({ baseUrl, auth: apiKey }));

  const created: string[] = [];
  for (const name of ["Rex", "Rex", "Tom", "Kim"]) {
    const headers = { "Idempotency-Key": `key of ${name}` };
    const { data, response } = await createPet({
      client,
      headers,
      body: { name, categoryId: 7 },
      throwOnError: true,
    });
    created.push(`${data.id} ${response.headers.has("Idempotent-Replayed") ? "replayed" : "new"}`);
  }

  const pages: Pet[][] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 2, status: "available", ...(cursor && { cursor }) } as const;
    const { data, response } = await listPets({ client, query, throwOnError: true });
    pages.push(data);
    cursor = nextCursor(response.headers);
  } while (cursor);

  const { error: rejection } = await listPets({ client, auth: "pst_test_wrong" });
  return { created, pages, rejection, isInvalidKey: rejection?.code === "invalid_api_key" };
}

/** The cursor of the page after this one, which its `Link` header leads to. */
function nextCursor(headers: Headers): string | undefined {
  const query = /<\?([^>]*)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];
  return new URLSearchParams(query).get("cursor") ?? undefined;
}

export async function makeMistakes(): Promise<void> {
  // @ts-expect-error -- not a status
  const { error } = await listPets({ query: { status: "lost" } });
  // @ts-expect-error -- a category is missing
  await createPet({ body: { name: "Rex" } });
  // A newer service may send codes of its own.
  if (error?.code === "too_many_animals") throw new Error(error.message);
}
