// The duties of a production service for each request, in addition to its work. Our server always has them. A peer started with
// `--duties` has them too, using the means of its framework.
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { Histogram, Registry } from "prom-client";

/** A request that has begun. */
export interface Begun {
  id: string;
  startedAt: number;
}

interface Ended {
  method: string;
  /** The path template. */
  route: string | undefined;
  status: number;
  keyId: string | undefined;
}

export type Duties = ReturnType<typeof createDuties>;

export function createDuties() {
  const log = pino({ base: null });
  const duration = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "Duration of HTTP server requests.",
    labelNames: ["method", "route", "status"],
    registers: [new Registry()],
  });

  return {
    /** The id of the caller, or a new one. */
    begin: (givenId: string | string[] | undefined): Begun => ({
      id: typeof givenId === "string" ? givenId : randomUUID(),
      startedAt: performance.now(),
    }),

    headersOf: ({ id }: Begun) => ({
      "X-Request-Id": id,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    }),

    /** Writes one log line and records one observation. */
    end: ({ id, startedAt }: Begun, { method, route = "", status, keyId }: Ended): void => {
      const ms = performance.now() - startedAt;
      duration.observe({ method, route, status }, ms / 1000);
      log.info({ requestId: id, method, route, status, ms, keyId }, "request");
    },
  };
}
