/** Calls `make` when it is first needed, and again after it has failed. */
export function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () =>
    (result ??= make().catch((error: unknown) => {
      result = undefined;
      throw error;
    }));
}
