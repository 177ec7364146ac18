// Fastify with zod, as the README of fastify-type-provider-zod shows it.
import Fastify from "fastify";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { Begun } from "./duties.ts";
import { listQuery, newPet, pet, petParams, pets, problem } from "./schemas.ts";
import { catalogue, duties, port } from "./started-with.ts";

declare module "fastify" {
  interface FastifyRequest {
    begun: Begun | null;
    keyId: string | undefined;
  }
}

const fastify = Fastify();
fastify.decorateRequest("begun", null);
fastify.decorateRequest("keyId", undefined);

if (duties) {
  const { begin, headersOf, end } = duties;
  fastify.addHook("onRequest", (request, reply, done) => {
    request.begun = begin(request.headers["x-request-id"]);
    reply.headers(headersOf(request.begun));
    done();
  });
  fastify.addHook("onResponse", ({ begun, method, keyId, routeOptions }, { statusCode: status }, done) => {
    if (begun) end(begun, { method, route: routeOptions.url, status, keyId });
    done();
  });
}

fastify.addHook("onRequest", (request, reply, done) => {
  request.keyId = catalogue.authenticate(request.headers.authorization);
  if (request.keyId === undefined) void reply.code(401).send({ message: "Unauthorized" });
  else done();
});
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
