// The compared server: `fastify.ts PORT DATABASE-FILE`. Fastify with zod, as the README of
// fastify-type-provider-zod shows it, and with the duties that every production service has: a
// request id, a log line, a metric, headers and signed links.
import { createHmac, createSecretKey, hash, randomUUID } from "node:crypto";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import Fastify from "fastify";
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from "fastify-type-provider-zod";
import { pino } from "pino";
import { Histogram, Registry } from "prom-client";
import { z } from "zod";

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

type Pet = z.output<typeof pet>;
type Row = [id: number, name: string, categoryId: number, status: Pet["status"]];

/** The database work, with node:sqlite, on a file created by `petstore-server import`. */
const database = new DatabaseSync(file, { returnArrays: true }); // a third cheaper than objects
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
const columns = "id, name, category_id, status";
const selectPage = database.prepare(`SELECT ${columns} FROM pets WHERE id > ? ORDER BY id LIMIT ?`);
const selectPet = database.prepare(`SELECT ${columns} FROM pets WHERE id = ?`);
// A single statement is its own transaction.
const insert = database.prepare(
  `INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?) RETURNING ${columns}`,
);
const selectKey = database.prepare(
  "SELECT id FROM api_keys WHERE hash = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)",
);
const [[bytes] = []] = all<[Uint8Array]>(
  database.prepare("SELECT value FROM secrets WHERE name = 'cursor'"),
);
// created once: it costs four times as much as a signature
const secret = createSecretKey(bytes ?? new Uint8Array());

/** Node's types do not know connections that return arrays. */
function all<Each extends unknown[]>(
  statement: StatementSync,
  ...parameters: SQLInputValue[]
): Each[] {
  return statement.all(...parameters) as unknown as Each[];
}

/** The animals of a statement. */
function petsOf(statement: StatementSync, ...parameters: SQLInputValue[]): Pet[] {
  return all<Row>(statement, ...parameters).map(([id, name, categoryId, state]) => {
    return { id, name, categoryId, status: state };
  });
}

/** The id of the API key, or `undefined` if it is unknown. */
function authenticate(authorization = ""): string | undefined {
  if (!authorization.startsWith("Bearer ")) return undefined;
  const digest = hash("sha256", authorization.slice("Bearer ".length), "buffer");
  return all<[id: string]>(selectKey, digest, Date.now())[0]?.[0];
}

/** The last id of a page and a signature. */
function writeCursor(id: number): string {
  const signed = Buffer.alloc(8);
  signed.writeBigInt64BE(BigInt(id));
  const signature = createHmac("sha256", secret).update(signed).digest().subarray(0, 16);
  return Buffer.concat([signed, signature]).toString("base64url");
}

const log = pino({ base: null });
const duration = new Histogram({
  name: "http_server_request_duration_seconds",
  help: "Duration of HTTP server requests.",
  labelNames: ["method", "route", "status"],
  registers: [new Registry()],
});

const fastify = Fastify({
  genReqId: ({ headers }) => String(headers["x-request-id"] ?? randomUUID()),
});
fastify.decorateRequest("startedAt", 0);
fastify.decorateRequest("keyId", undefined);
fastify.addHook("onRequest", (request, reply, done) => {
  request.startedAt = performance.now();
  reply.headers({
    "X-Request-Id": request.id,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  request.keyId = authenticate(request.headers.authorization);
  if (request.keyId === undefined) void reply.code(401).send({ message: "Unauthorized" });
  else done();
});
fastify.addHook(
  "onResponse",
  ({ id, startedAt, method, keyId, routeOptions }, { statusCode }, done) => {
    const ms = performance.now() - startedAt;
    const labels = { method, route: routeOptions.url ?? "", status: statusCode };
    duration.observe(labels, ms / 1000);
    log.info({ requestId: id, ...labels, ms, keyId }, "request");
    done();
  },
);
fastify.setValidatorCompiler(validatorCompiler);
fastify.setSerializerCompiler(serializerCompiler);
const app = fastify.withTypeProvider<ZodTypeProvider>();

app.get(
  "/v1/pets",
  { schema: { querystring: listQuery, response: { 200: z.array(pet) } } },
  (request, reply) => {
    const { limit } = request.query;
    const found = petsOf(selectPage, 0, limit + 1); // one more shows whether there is a next page
    const pets = found.slice(0, limit);
    const last = pets.at(-1);
    if (found.length > limit && last)
      reply.header("Link", `<?cursor=${writeCursor(last.id)}&limit=${limit}>; rel="next"`);
    reply.send(pets);
  },
);

app.post("/v1/pets", { schema: { body: newPet, response: { 201: pet } } }, (request, reply) => {
  const { name, categoryId, status: state } = request.body;
  const [created] = petsOf(insert, name, categoryId, state);
  if (created === undefined) throw new Error("nothing was inserted");
  reply.code(201).send(created);
});

const petBatch = z.object({ pets: z.array(newPet).min(1).max(100) });
const results = z.array(z.object({ status: z.int(), pet }));

app.post(
  "/v1/pet-batches",
  { schema: { body: petBatch, response: { 200: results } } },
  (request, reply) => {
    database.exec("BEGIN");
    try {
      const created = request.body.pets.flatMap((each) =>
        petsOf(insert, each.name, each.categoryId, each.status),
      );
      database.exec("COMMIT");
      reply.send(created.map((each) => ({ status: 201, pet: each })));
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  },
);

app.get(
  "/v1/pets/:petId",
  {
    schema: {
      params: z.object({ petId: z.coerce.number().int() }),
      response: { 200: pet, 404: problem },
    },
  },
  (request, reply) => {
    const [found] = petsOf(selectPet, request.params.petId);
    if (found === undefined) reply.code(404).send({ message: "Not Found" });
    else reply.send(found);
  },
);

await app.listen({ port: Number(port), host: "127.0.0.1" });
