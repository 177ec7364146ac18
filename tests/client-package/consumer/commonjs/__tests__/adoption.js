const { createPetstoreClient, InvalidArgumentError, ServerError } = require("@petstore/client");
const { createPetstoreFake } = require("@petstore/client/testing");

test("a program adds and lists animals, and handles errors", async () => {
  const petstore = createPetstoreFake({ pets: [{ name: "Rex", categoryId: 9223372036854775807n }] });
  const client = createPetstoreClient({ ...petstore, maxRetries: 0 });

  await client.createPet({ name: "Tom", categoryId: 7 });
  const names = [];
  for await (const { name } of client.listPets({ limit: 1 })) names.push(name);

  expect(names).toEqual(["Rex", "Tom"]);
  expect(petstore.pets[0].categoryId).toBe(9223372036854775807n);
  petstore.faults.push({ status: 503 });
  await expect(client.listPets()).rejects.toBeInstanceOf(ServerError);
  await expect(client.createPet({ name: "" })).rejects.toBeInstanceOf(InvalidArgumentError);
  expect(() => createPetstoreFake({ pets: [{ name: "" }] })).toThrow(TypeError);
});
