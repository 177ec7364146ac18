// The parts that both Fastify peers share: authentication and the duties.
import type { FastifyInstance } from "fastify";
import type { Begun } from "./duties.ts";
import { catalogue, duties } from "./started-with.ts";

declare module "fastify" {
  interface FastifyRequest {
    begun: Begun | null;
    keyId: string | undefined;
  }
}

export function addHooks(app: FastifyInstance): void {
  app.decorateRequest("begun", null);
  app.decorateRequest("keyId", undefined);

  if (duties) {
    const { begin, headersOf, end } = duties;
    app.addHook("onRequest", (request, reply, done) => {
      request.begun = begin(request.headers["x-request-id"]);
      reply.headers(headersOf(request.begun));
      done();
    });
    app.addHook("onResponse", ({ begun, method, keyId, routeOptions }, { statusCode: status }, done) => {
      if (begun) end(begun, { method, route: routeOptions.url, status, keyId });
      done();
    });
  }

  app.addHook("onRequest", (request, reply, done) => {
    request.keyId = catalogue.authenticate(request.headers.authorization);
    if (request.keyId === undefined) void reply.code(401).send({ message: "Unauthorized" });
    else done();
  });
}
