import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";

export interface TestProxy extends AsyncDisposable {
  port: number;
  /** The targets of all tunnels so far. */
  tunnels: string[];
}

/**
 * A proxy that only makes tunnels, all to one port of this machine, whatever their target is.
 * @param credentials demanded, like `user:password`
 */
export async function startProxy(port: number, credentials?: string): Promise<TestProxy> {
  const tunnels: string[] = [];
  const server = createServer((_request, response) => response.writeHead(405).end());
  const expected = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
  server.on("connect", ({ url = "", headers }, client: Socket) => {
    client.on("error", () => {});
    if (expected !== undefined && headers["proxy-authorization"] !== expected) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    tunnels.push(url);
    const service = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connected\r\n\r\n");
      service.pipe(client).pipe(service);
    });
    service.on("error", () => client.destroy());
    client.on("close", () => service.destroy());
  });
  return { ...(await listening(server)), tunnels };
}

export interface SilentProxy extends AsyncDisposable {
  port: number;
  /** How many have sent what it waits for: the beginning of a request or of TLS. */
  heard(): number;
}

/** A proxy that accepts connections and then says nothing, or only that there is a tunnel. */
export async function startSilentProxy(greeting = ""): Promise<SilentProxy> {
  let heard = 0;
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      if (greeting === "") heard++;
      else socket.once("data", () => heard++).write(greeting);
    });
  });
  return { ...(await listening(server)), heard: () => heard };
}

/** A TLS server for `petstore.test` before another server, with a certificate of its own authority. */
export async function startTls(port: number, directory: string) {
  const [key, certificate] = [join(directory, "tls.key"), join(directory, "tls.pem")];
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=petstore.test";
  const extensions = ["-addext", "subjectAltName=DNS:petstore.test,IP:127.0.0.1,IP:192.0.2.1"];
  execFileSync("openssl", [...request.split(" "), ...extensions, "-keyout", key, "-out", certificate], {
    stdio: "pipe",
  });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (client) => {
    const service = connect(port, "127.0.0.1");
    for (const socket of [client, service]) socket.on("error", () => {});
    service.pipe(client).pipe(service);
    client.on("close", () => service.destroy());
  });
  return { ...(await listening(server)), certificate };
}

async function listening(server: Server): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.once("close", () => sockets.delete(socket))));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
