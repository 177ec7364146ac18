const { createPetstoreClient, InvalidArgumentError, isPetstoreError, ServerError } = require("@petstore/client");
const { createPetstoreFake } = require("@petstore/client/testing");

test("a program adds and lists animals", async () => {
  const petstore = createPetstoreFake({ pets: [{ name: "Rex", categoryId: 9223372036854775807n }] });
  const client = createPetstoreClient(petstore);

  await client.createPet({ name: "Tom", categoryId: 7 });
  const names = [];
  for await (const { name } of client.listPets({ limit: 1 })) names.push(name);

  expect(names).toEqual(["Rex", "Tom"]);
  expect(petstore.pets[0].categoryId).toBe(9223372036854775807n);
});

test("a program handles an outage", async () => {
  const petstore = createPetstoreFake();
  petstore.faults.push({ status: 503 });

  const error = await createPetstoreClient({ ...petstore, maxRetries: 0 })
    .createPet({ name: "Tom", categoryId: 7 })
    .catch((reason) => reason);

  expect(error).toBeInstanceOf(ServerError);
  expect(error).toMatchObject({ name: "ServerError", status: 503, code: "unavailable" });
  expect(isPetstoreError(error)).toBe(true);
});

test("an invalid argument is an error of the client, and an invalid animal of the fake a TypeError", async () => {
  const call = createPetstoreClient(createPetstoreFake()).createPet({ name: "" });
  await expect(call).rejects.toBeInstanceOf(InvalidArgumentError);
  expect(() => createPetstoreFake({ pets: [{ name: "" }] })).toThrow(TypeError);
});
