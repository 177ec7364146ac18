// Express with ts-rest, as the documentation of ts-rest shows it.
import { initContract } from "@ts-rest/core";
import { createExpressEndpoints, initServer } from "@ts-rest/express";
import express from "express";
import { listQuery, newPet, pet, petParams, pets, problem } from "./schemas.ts";
import { catalogue, duties, port } from "./started-with.ts";

const contract = initContract().router({
  listPets: { method: "GET", path: "/v1/pets", query: listQuery, responses: { 200: pets } },
  createPet: { method: "POST", path: "/v1/pets", body: newPet, responses: { 201: pet } },
  getPet: { method: "GET", path: "/v1/pets/:petId", pathParams: petParams, responses: { 200: pet, 404: problem } },
});

const app = express();

if (duties) {
  const { begin, headersOf, end } = duties;
  app.use((req, res, next) => {
    const begun = begin(req.headers["x-request-id"]);
    res.set(headersOf(begun));
    res.on("finish", () => {
      const route = (req.route as { path?: string } | undefined)?.path;
      end(begun, { method: req.method, route, status: res.statusCode, keyId: res.locals["keyId"] as string });
    });
    next();
  });
}

app.use((req, res, next) => {
  const keyId = catalogue.authenticate(req.headers.authorization);
  res.locals["keyId"] = keyId;
  if (keyId === undefined) res.status(401).json({ message: "Unauthorized" });
  else next();
});
app.use(express.json());

const router = initServer().router(contract, {
  listPets: async ({ query, res }) => {
    const found = catalogue.listPets(query);
    if (found.link !== undefined) res.set("Link", found.link);
    return { status: 200, body: found.pets };
  },
  createPet: async ({ body }) => ({ status: 201, body: catalogue.createPet(body) }),
  getPet: async ({ params }) => {
    const found = catalogue.getPet(params.petId);
    return found === undefined ? { status: 404, body: { message: "Not Found" } } : { status: 200, body: found };
  },
});
createExpressEndpoints(contract, router, app, { logInitialization: false });

app.listen(port, "127.0.0.1");
