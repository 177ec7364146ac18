// The compared server: `fastify.ts PORT DATABASE-FILE`. Fastify with zod, as the README of fastify-type-provider-zod shows it, and with the
// duties that every production service has: a request id, a log line, a metric, headers and signed links.
import { randomUUID } from "node:crypto";
import Fastify from "fastify";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { pino } from "pino";
import { Histogram, Registry } from "prom-client";
import { z } from "zod";
import { openCatalogue } from "./catalogue.ts";

const [port, file = ""] = process.argv.slice(2);

const status = z.enum(["available", "pending", "sold"]);
const newPet = z.object({
  name: z.string().min(1).max(255),
  categoryId: z.int(),
  status: status.default("available"),
});
const pet = z.object({ id: z.int(), name: z.string(), categoryId: z.int(), status });
const problem = z.object({ message: z.string() });
const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional(),
});

declare module "fastify" {
  interface FastifyRequest {
    startedAt: number;
    keyId: string | undefined;
  }
}

const catalogue = openCatalogue(file);
const log = pino({ base: null });
const duration = new Histogram({
  name: "http_server_request_duration_seconds",
  help: "Duration of HTTP server requests.",
  labelNames: ["method", "route", "status"],
  registers: [new Registry()],
});

const fastify = Fastify({ genReqId: ({ headers }) => String(headers["x-request-id"] ?? randomUUID()) });
fastify.decorateRequest("startedAt", 0);
fastify.decorateRequest("keyId", undefined);
fastify.addHook("onRequest", (request, reply, done) => {
  request.startedAt = performance.now();
  reply.headers({ "X-Request-Id": request.id, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
  request.keyId = catalogue.authenticate(request.headers.authorization);
  if (request.keyId === undefined) void reply.code(401).send({ message: "Unauthorized" });
  else done();
});
fastify.addHook("onResponse", ({ id, startedAt, method, keyId, routeOptions }, { statusCode }, done) => {
  const ms = performance.now() - startedAt;
  const labels = { method, route: routeOptions.url ?? "", status: statusCode };
  duration.observe(labels, ms / 1000);
  log.info({ requestId: id, ...labels, ms, keyId }, "request");
  done();
});
fastify.setValidatorCompiler(validatorCompiler);
fastify.setSerializerCompiler(serializerCompiler);
const app = fastify.withTypeProvider<ZodTypeProvider>();

app.get("/v1/pets", { schema: { querystring: listQuery, response: { 200: z.array(pet) } } }, (request, reply) => {
  const found = catalogue.listPets(request.query);
  if (found.link !== undefined) reply.header("Link", found.link);
  reply.send(found.pets);
});

app.post("/v1/pets", { schema: { body: newPet, response: { 201: pet } } }, (request, reply) => {
  reply.code(201).send(catalogue.createPet(request.body));
});

app.get(
  "/v1/pets/:petId",
  { schema: { params: z.object({ petId: z.coerce.number().int() }), response: { 200: pet, 404: problem } } },
  (request, reply) => {
    const found = catalogue.getPet(request.params.petId);
    if (found === undefined) reply.code(404).send({ message: "Not Found" });
    else reply.send(found);
  },
);

await app.listen({ port: Number(port), host: "127.0.0.1" });
