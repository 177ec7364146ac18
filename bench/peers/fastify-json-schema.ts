// Fastify with JSON Schema, as its own documentation shows it: it validates requests with Ajv and compiles a serializer.
import Fastify from "fastify";
import type { Pet } from "./catalogue.ts";
import { addHooks } from "./fastify-hooks.ts";
import { catalogue, port } from "./started-with.ts";

const status = { type: "string", enum: ["available", "pending", "sold"] };
const listQuery = {
  type: "object",
  properties: { limit: { type: "integer", minimum: 1, maximum: 100, default: 20 }, cursor: { type: "string" } },
};
const newPet = {
  type: "object",
  required: ["name", "categoryId"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: 255 },
    categoryId: { type: "integer" },
    status: { ...status, default: "available" },
  },
};
const pet = {
  type: "object",
  required: ["id", "name", "categoryId", "status"],
  properties: { id: { type: "integer" }, name: { type: "string" }, categoryId: { type: "integer" }, status },
};
const petParams = { type: "object", properties: { petId: { type: "integer" } } };
const problem = { type: "object", properties: { message: { type: "string" } } };

const app = Fastify();
addHooks(app);

app.get<{ Querystring: { limit: number; cursor?: string } }>(
  "/v1/pets",
  { schema: { querystring: listQuery, response: { 200: { type: "array", items: pet } } } },
  (request, reply) => {
    const found = catalogue.listPets(request.query);
    if (found.link !== undefined) reply.header("Link", found.link);
    reply.send(found.pets);
  },
);

app.post<{ Body: Omit<Pet, "id"> }>(
  "/v1/pets",
  { schema: { body: newPet, response: { 201: pet } } },
  (request, reply) => {
    reply.code(201).send(catalogue.createPet(request.body));
  },
);

app.get<{ Params: { petId: number } }>(
  "/v1/pets/:petId",
  { schema: { params: petParams, response: { 200: pet, 404: problem } } },
  (request, reply) => {
    const found = catalogue.getPet(request.params.petId);
    if (found === undefined) reply.code(404).send({ message: "Not Found" });
    else reply.send(found);
  },
);

await app.listen({ port, host: "127.0.0.1" });
