import type { AppRouter } from "@ts-rest/core";
import type { RequestHandler, Router } from "express";
import { writeEmpty } from "../http/respond.ts";
import { Refusal } from "../refusal.ts";

/** Answers OPTIONS, and refuses other methods, on every path of the contract (D13). Mounted behind the operations. */
export function mountMethods(router: Router, contract: AppRouter): void {
  const methods = new Map<string, string[]>();
  for (const route of Object.values(contract)) {
    if (typeof route.path !== "string" || typeof route.method !== "string") continue;
    const known = methods.get(route.path) ?? [];
    methods.set(route.path, [...known, ...(route.method === "GET" ? ["GET", "HEAD"] : [route.method])]);
  }
  for (const [path, known] of methods) router.all(path, answerMethods(path, known));
}

/** Answers for a path whose known methods were not asked for. */
export function answerMethods(route: string, known: readonly string[]): RequestHandler {
  const allow = [...known, "OPTIONS"].join(", ");
  return (req, res) => {
    res.locals.route = route;
    res.setHeader("Allow", allow);
    if (req.method !== "OPTIONS") {
      throw new Refusal("method_not_allowed", `This method is not allowed here. Use ${allow}.`);
    }
    writeEmpty(res, 204);
  };
}

/** Answers for a path that nothing is at, and for `OPTIONS *`, which asks about the server as a whole. */
export const answerUnknownRoute: RequestHandler = (req, res, next) => {
  if (req.url === "*" && req.method === "OPTIONS") return answerMethods("*", ["GET", "HEAD", "POST"])(req, res, next);
  throw new Refusal("route_not_found", "There is nothing at this path.");
};
