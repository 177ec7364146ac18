import { allowOf, Refusal } from "@petstore/service";
import type { RequestHandler } from "express";
import { sendEmpty } from "../http/respond.ts";

/** Responds to OPTIONS, and rejects every other method. Mounted after the methods of a path. */
export function respondToMethods(route: string, allow: string): RequestHandler {
  return (req, res) => {
    req.state.route ??= route;
    if (req.method !== "OPTIONS") throw new Refusal("method_not_allowed", allow);
    req.state.headers["Allow"] = allow;
    sendEmpty(res, 204);
  };
}

/** Rejects unknown routes, and responds to `OPTIONS *`, which asks about the whole server. */
export const respondToUnknownRoute: RequestHandler = (req, res, next) => {
  if (req.url === "*" && req.method === "OPTIONS")
    return respondToMethods("*", allowOf(["GET", "HEAD", "POST"]))(req, res, next);
  throw new Refusal("route_not_found");
};
