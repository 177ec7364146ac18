const {
  createPetstoreClient,
  InvalidArgumentError,
  NotFoundError,
  ServerError,
} = require("@petstore/client");
const { createPetstoreFake } = require("@petstore/client/testing");

test("a program adds and lists animals, and handles errors", async () => {
  const petstore = createPetstoreFake({
    pets: [{ name: "Rex", categoryId: 9223372036854775807n }],
  });
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

test("a program adds an animal once when the response is lost or late, and stops when it is told to", async () => {
  const petstore = createPetstoreFake();
  const client = createPetstoreClient(petstore);

  petstore.faults.push({ connection: "lost", latencyMs: 1 }, { latencyMs: 1 });
  await client.createPet({ name: "Zoë 🐈", categoryId: 7 });
  expect(petstore.pets.map(({ name }) => name)).toEqual(["Zoë 🐈"]);
  expect(petstore.requests).toHaveLength(2);
  await expect(client.experimental.updatePet(404, { status: "sold" })).rejects.toBeInstanceOf(
    NotFoundError,
  );

  const controller = new AbortController();
  const stopWhenSent = () => Promise.resolve().then(() => controller.abort(new Error("enough")));
  petstore.faults.push({ latencyMs: Infinity, when: () => Boolean(stopWhenSent()) });
  await expect(client.listPets({}, { signal: controller.signal })).rejects.toThrow("enough");
  petstore.faults.push({ body: "stalled" });
  await expect(client.listPets({}, { timeoutMs: 5, maxRetries: 0 })).rejects.toThrow("timed out");
});
