// Only node:http and the database: no authentication, no validation, no duties. It shows the cost that all servers share.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Pet } from "./catalogue.ts";
import { catalogue, port } from "./started-with.ts";

createServer((req, res) => {
  const { pathname, searchParams } = new URL(req.url ?? "", "http://localhost");
  if (pathname !== "/v1/pets") respond(res, 200, catalogue.getPet(Number(pathname.slice("/v1/pets/".length))));
  else if (req.method === "POST") void create(req, res);
  else respond(res, 200, catalogue.listPets({ limit: Number(searchParams.get("limit") ?? 20) }).pets);
}).listen(port, "127.0.0.1");

async function create(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = JSON.parse(await text(req)) as Omit<Pet, "id">;
  respond(res, 201, catalogue.createPet({ ...body, status: body.status ?? "available" }));
}

function respond(res: ServerResponse, status: number, body: unknown): void {
  const content = JSON.stringify(body);
  res.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(content) });
  res.end(content);
}
