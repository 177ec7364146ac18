/** The calls that every program makes with a generated client. The generator decides how. */
interface GeneratedClient<Pet> {
  /** Adds an animal under a key of its own. */
  create: (name: string) => Promise<Result<Pet>>;
  list: (query: { limit: number; status: "available"; cursor?: string }) => Promise<Result<Pet[]>>;
}

interface Result<Data> {
  data: Data;
  headers: Headers;
}

/** Adds animals, one of them twice, and follows the pages. */
export async function exercise<Pet>({ create, list }: GeneratedClient<Pet>) {
  const add = async (name: string): Promise<{ pet: Pet; isReplay: boolean }> => {
    const { data, headers } = await create(name);
    return { pet: data, isReplay: headers.has("Idempotent-Replayed") };
  };
  const [created, repeated] = [await add("Rex"), await add("Rex")];
  for (const name of ["Tom", "Kim"]) await add(name);

  const pages: Pet[][] = [];
  let cursor: string | undefined;
  do {
    const { data, headers } = await list({ limit: 2, status: "available", ...(cursor && { cursor }) });
    pages.push(data);
    cursor = nextCursor(headers);
  } while (cursor);
  return { created, repeated, pages };
}

/** The cursor of the page after this one, which its `Link` header leads to. */
function nextCursor(headers: Headers): string | undefined {
  const query = /<\?([^>]*)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];
  return new URLSearchParams(query).get("cursor") ?? undefined;
}
