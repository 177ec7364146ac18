import { allowOf, Refusal, routes } from "@petstore/service";
import type { RequestHandler, Router } from "express";
import { sendEmpty } from "../http/respond.ts";

/** Responds to OPTIONS, and rejects other methods, on every path of the contract. Mounted behind the operations. */
export function mountMethods(router: Router): void {
  for (const { path, allow } of routes) router.all(path, respondToMethods(path, allow));
}

/** Responds on a path whose allowed methods were not asked for. */
export function respondToMethods(route: string, allow: string): RequestHandler {
  return (req, res) => {
    req.state.route ??= route;
    if (req.method !== "OPTIONS") throw new Refusal("method_not_allowed", allow);
    res.setHeader("Allow", allow);
    sendEmpty(res, 204);
  };
}

/** Responds where there is nothing, and to `OPTIONS *`, which asks about the server as a whole. */
export const respondToUnknownRoute: RequestHandler = (req, res, next) => {
  if (req.url === "*" && req.method === "OPTIONS")
    return respondToMethods("*", allowOf(["GET", "HEAD", "POST"]))(req, res, next);
  throw new Refusal("route_not_found");
};
