import { startServer } from "@petstore/server/start-server";
import { OpenAPIClientAxios } from "openapi-client-axios";
import { expect, test } from "vitest";

test("201, 200: a tool imports the document from a server, and finds the service at the address in it", async () => {
  await using service = await startServer();
  // Its port is known before the document is made.
  await using server = await startServer({ publicUrl: service.url });
  const api = new OpenAPIClientAxios({
    definition: `${server.url}/openapi.json`,
    axiosConfigDefaults: { headers: { Authorization: `Bearer ${service.apiKey}` } },
  });
  const client = await api.init();
  // As the document shows it.
  const { requestBody } = api.getOperation("createPet") ?? {};
  const { content } = requestBody as { content: Record<string, { examples: { example: { value: object } } }> };
  const value = content["application/json"]?.examples.example.value;

  const created = await client["createPet"]?.(undefined, value);
  expect(created).toMatchObject({ status: 201, data: { id: 1, ...value } });
  expect(await client["listPets"]?.()).toMatchObject({ status: 200, data: [{ id: 1, ...value }] });
});
