// Fastify with zod, as the README of fastify-type-provider-zod shows it.
import Fastify from "fastify";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { addHooks } from "./fastify-hooks.ts";
import { listQuery, newPet, pet, petParams, pets, problem } from "./schemas.ts";
import { catalogue, port } from "./started-with.ts";

const fastify = Fastify();
addHooks(fastify);
fastify.setValidatorCompiler(validatorCompiler);
fastify.setSerializerCompiler(serializerCompiler);
const app = fastify.withTypeProvider<ZodTypeProvider>();

app.get("/v1/pets", { schema: { querystring: listQuery, response: { 200: pets } } }, (request, reply) => {
  const found = catalogue.listPets(request.query);
  if (found.link !== undefined) reply.header("Link", found.link);
  reply.send(found.pets);
});

app.post("/v1/pets", { schema: { body: newPet, response: { 201: pet } } }, (request, reply) => {
  reply.code(201).send(catalogue.createPet(request.body));
});

app.get(
  "/v1/pets/:petId",
  { schema: { params: petParams, response: { 200: pet, 404: problem } } },
  (request, reply) => {
    const found = catalogue.getPet(request.params.petId);
    if (found === undefined) reply.code(404).send({ message: "Not Found" });
    else reply.send(found);
  },
);

await app.listen({ port, host: "127.0.0.1" });
