import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { startHttpServer, type HttpServer } from "@petstore/test-kit/http-server";
import { dist } from "./site.ts";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Serves the site like GitHub Pages. */
export function startSite(): Promise<HttpServer> {
  return startHttpServer((req, res) => {
    const { pathname } = new URL(req.url ?? "/", "http://localhost");
    const names = [pathname, `${pathname}.html`, `${pathname}index.html`];
    const file = names.find((name) => extname(name) !== "" && existsSync(join(dist, name)));
    const type = types[extname(file ?? "")] ?? "text/html; charset=utf-8";
    res.writeHead(file === undefined ? 404 : 200, { "Content-Type": type });
    res.end(readFileSync(join(dist, file ?? "404.html")));
  });
}
