import { BadRequestError, createPetstoreClient, isApiError } from "@petstore/client";
import { createPetstoreFake } from "@petstore/client/testing";

/** The message of a call to a server that does not respond as it should. */
async function failureOf(baseUrl) {
  const client = createPetstoreClient({ baseUrl, apiKey: "key", maxRetries: 0 });
  return await client.getPet(1).catch(({ message }) => message);
}

/**
 * What a program does with the client, from its first call to its failures. The result is plain
 * JSON.
 * @param failing the origin of a server that redirects, and closes the connection
 */
export async function useClient(failing, options) {
  const client = createPetstoreClient(options);

  const first = { name: "Rex", categoryId: 9223372036854775807n };
  const idempotencyKey = "first";
  const { data: pet, response } = await client.createPet(first, { idempotencyKey }).withResponse();
  for (const name of ["Tom", "Kim"]) await client.createPet({ name, categoryId: 7 });

  const page = await client.listPets({ limit: 2 });
  const walked = [];
  for await (const { name } of client.listPets({ limit: 2 })) walked.push(name);

  const rejection = await client
    .createPet({ name: "Max", categoryId: 7 }, { idempotencyKey })
    .catch((error) => error);

  const petstore = createPetstoreFake({ pets: [first] });
  const faked = await createPetstoreClient(petstore).listPets();

  return {
    created: { ...pet, categoryId: pet.categoryId.toString() },
    requestId: response.requestId,
    page: { names: page.data.map(({ name }) => name), isLast: page.next === undefined },
    walked,
    rejection: {
      isBadRequest: rejection instanceof BadRequestError,
      isKeyReused: isApiError(rejection, "idempotency_key_reused"),
      status: rejection.status,
      requestId: rejection.requestId,
    },
    faked: faked.data.map(({ name }) => name),
    failures: await Promise.all(
      ["moved", "closed"].map((path) => failureOf(`${failing}/${path}/v1`)),
    ),
  };
}
