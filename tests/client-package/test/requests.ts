import type { Step } from "./both-services.ts";

export const rex = '{"name":"Rex","categoryId":7}';
export const large = "x".repeat(20_000);

/** Requests for targets with the same start. */
export function get(start: string, ends: readonly string[] = [""]): Step[] {
  return ends.map((end) => ({ method: "GET", target: start + end }));
}

export function post(body: Step["body"], headers: Record<string, string> = {}): Step {
  return { method: "POST", target: "/pets", body, headers };
}

export function batch(...items: readonly string[]): Step {
  return { ...post(`{"pets":[${items.join()}]}`), target: "/pet-batches" };
}

export function remove(target: string, headers: Record<string, string> = {}): Step {
  return { method: "DELETE", target: `/pets/${target}`, headers };
}

export function patch(
  target: string,
  body: Step["body"],
  headers: Record<string, string> = {},
): Step {
  return { method: "PATCH", target: `/pets/${target}`, body, headers };
}

export function by(methods: readonly string[], steps: readonly Step[]): Step[] {
  return methods.flatMap((method) => steps.map((each) => ({ ...each, method })));
}

export function as(credentials: readonly Step["credentials"][], steps: readonly Step[]): Step[] {
  return credentials.flatMap((each) =>
    steps.map((requests) => ({ ...requests, credentials: each })),
  );
}

export function later(laterMs: number, [first, ...rest]: readonly Step[]): Step[] {
  return first === undefined ? [] : [{ ...first, laterMs }, ...rest];
}

export const once = (key: string) => ({ "Idempotency-Key": key });
