// Hono on Node, with zod as the README of @hono/zod-openapi shows it.
import { serve } from "@hono/node-server";
import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import { routePath } from "hono/route";
import { listQuery, newPet, pet, petParams, pets, problem } from "./schemas.ts";
import { catalogue, duties, port } from "./started-with.ts";

const app = new OpenAPIHono<{ Variables: { keyId: string | undefined } }>();

if (duties) {
  const { begin, headersOf, end } = duties;
  app.use(async (context, next) => {
    const begun = begin(context.req.header("x-request-id"));
    for (const [name, value] of Object.entries(headersOf(begun))) context.header(name, value);
    await next();
    const { method } = context.req;
    end(begun, { method, route: routePath(context, -1), status: context.res.status, keyId: context.get("keyId") });
  });
}

app.use(async (context, next) => {
  const keyId = catalogue.authenticate(context.req.header("authorization"));
  if (keyId === undefined) return context.json({ message: "Unauthorized" }, 401);
  context.set("keyId", keyId);
  return await next();
});

const json = <Schema>(schema: Schema, description: string) => ({
  content: { "application/json": { schema } },
  description,
});

const listPets = createRoute({
  method: "get",
  path: "/v1/pets",
  request: { query: listQuery },
  responses: { 200: json(pets, "A page of animals") },
});
app.openapi(listPets, (context) => {
  const found = catalogue.listPets(context.req.valid("query"));
  if (found.link !== undefined) context.header("Link", found.link);
  return context.json(found.pets, 200);
});

const createPet = createRoute({
  method: "post",
  path: "/v1/pets",
  request: { body: { content: { "application/json": { schema: newPet } }, required: true } },
  responses: { 201: json(pet, "The animal") },
});
app.openapi(createPet, (context) => context.json(catalogue.createPet(context.req.valid("json")), 201));

const getPet = createRoute({
  method: "get",
  path: "/v1/pets/{petId}",
  request: { params: petParams },
  responses: { 200: json(pet, "The animal"), 404: json(problem, "There is none") },
});
app.openapi(getPet, (context) => {
  const found = catalogue.getPet(context.req.valid("param").petId);
  return found === undefined ? context.json({ message: "Not Found" }, 404) : context.json(found, 200);
});

serve({ fetch: app.fetch, port, hostname: "127.0.0.1" });
