import { basePath } from "@petstore/contract";
import type { Express, RequestHandler } from "express";
import { sendBoard } from "../board/board.ts";
import { sendEmpty, sendJson } from "../http/respond.ts";
import { respondToMethods } from "./methods.ts";

/** Sends a page to browsers, and a list of addresses, relative to the request, to other clients. */
export function mountRoot(app: Express, hasBoard: boolean): void {
  const sendPage = hasBoard ? sendBoard : redirectToReference;
  app.get("/", (req, res, next) => {
    req.state.route = "/";
    res.vary("Accept");
    const send = req.accepts(["json", "html"]) === "html" ? sendPage : sendAddresses;
    return send(req, res, next);
  });
  app.all("/", respondToMethods("/", "GET, HEAD, OPTIONS"));
}

const sendAddresses: RequestHandler = (_req, res) => {
  const base = basePath.slice(1);
  sendJson(res, { name: "Petstore", base, openapi: `${base}/openapi.json`, docs: "docs" });
};

const redirectToReference: RequestHandler = (_req, res) => {
  res.setHeader("Location", "docs");
  sendEmpty(res, 302);
};
