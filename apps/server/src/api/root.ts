import { basePath } from "@petstore/contract";
import type { Express } from "express";
import { sendEmpty, sendJson } from "../http/respond.ts";
import { respondToMethods } from "./methods.ts";

/** Shows where everything is: to a browser the reference page, to everything else a list. Its addresses are relative to the request. */
export function mountRoot(app: Express): void {
  app.get("/", (req, res) => {
    req.state.route = "/";
    res.vary("Accept");
    if (req.accepts(["json", "html"]) === "html") {
      res.setHeader("Location", "docs");
      sendEmpty(res, 302);
    } else {
      const base = basePath.slice(1);
      sendJson(res, { name: "Petstore", base, openapi: `${base}/openapi.json`, docs: "docs" });
    }
  });
  app.all("/", respondToMethods("/", "GET, HEAD, OPTIONS"));
}
