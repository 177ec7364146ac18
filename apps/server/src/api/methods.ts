import { allowOf, Refusal } from "@petstore/service";
import type { RequestHandler } from "express";
import { sendEmpty } from "../http/respond.ts";

/** Responds to OPTIONS, and rejects other methods than those that a path has. Mounted behind them. */
export function respondToMethods(route: string, allow: string): RequestHandler {
  return (req, res) => {
    req.state.route ??= route;
    if (req.method !== "OPTIONS") throw new Refusal("method_not_allowed", allow);
    req.state.headers["Allow"] = allow;
    sendEmpty(res, 204);
  };
}

/** Responds where there is nothing, and to `OPTIONS *`, which asks about the server as a whole. */
export const respondToUnknownRoute: RequestHandler = (req, res, next) => {
  if (req.url === "*" && req.method === "OPTIONS")
    return respondToMethods("*", allowOf(["GET", "HEAD", "POST"]))(req, res, next);
  throw new Refusal("route_not_found");
};
