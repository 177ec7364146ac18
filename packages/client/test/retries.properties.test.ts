import { getEventListeners } from "node:events";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ApiError, ConnectionError, TimeoutError, type Pet, type Result } from "../src/index.ts";
import { createClock } from "./clock.ts";
import { drop, scriptedClient, silence, type ScriptedClient } from "./scripted-client.ts";

/** The outcome of one attempt. A number is the status of an error. */
interface Fate {
  outcome: "success" | "drop" | "silence" | "stalled body" | number;
  /** Time of the outcome, from the start of the attempt. */
  latencyMs: number;
  /** The `Retry-After` of an error, in seconds. */
  retryAfter: number | undefined;
}

interface Plan {
  fates: Fate[];
  maxRetries: number;
  timeoutMs: number;
  /** The random share of each maximum delay. */
  shares: number[];
}

/** The result of a call, and when it ended. */
interface End {
  attempts: number;
  at: number;
  result: string;
}

const retriedStatuses = [408, 425, 429, 500, 502, 503, 504, 520, 522, 529];
const otherStatuses = [400, 401, 403, 404, 410, 413, 422, 501, 519, 530];

const failures = ["drop", "silence", "stalled body", ...retriedStatuses] as const;

const fate: fc.Arbitrary<Fate> = fc.record({
  outcome: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<Fate["outcome"]>(...failures) },
    { weight: 2, arbitrary: fc.constantFrom<Fate["outcome"]>("success", ...otherStatuses) },
  ),
  latencyMs: fc.nat(3000),
  retryAfter: fc.option(fc.nat(80), { nil: undefined, freq: 3 }),
});

const ten = { minLength: 10, maxLength: 10 };

const plans: fc.Arbitrary<Plan> = fc.record({
  fates: fc.array(fate, ten),
  maxRetries: fc.nat(9),
  timeoutMs: fc.integer({ min: 1, max: 5000 }),
  // Fractions with a power of two, so that sums of delays are exact.
  shares: fc.array(
    fc.nat(1023).map((part) => part / 1024),
    ten,
  ),
});

/** Predicts the end of a plan, according to the documentation of the client. */
function predict({ fates, maxRetries, timeoutMs, shares }: Plan): End {
  const draws = [...shares];
  let now = 0;
  for (const [index, { outcome, latencyMs, retryAfter }] of fates.entries()) {
    const attempts = index + 1;
    const isEndless = outcome === "silence" || outcome === "stalled body";
    const durationMs = isEndless ? Infinity : latencyMs;
    now += Math.min(durationMs, timeoutMs);

    const result = durationMs >= timeoutMs ? "timeout" : outcome;
    const end = {
      attempts,
      at: now,
      result: result === "success" ? `animal ${attempts}` : `${result}`,
    };
    const isTemporary =
      typeof result === "number" ? retriedStatuses.includes(result) : result !== "success";
    if (!isTemporary || attempts > maxRetries) return end;

    const hasRetryAfter = typeof result === "number" && retryAfter !== undefined;
    const afterMs = hasRetryAfter ? retryAfter * 1000 : 0;
    if (afterMs > 60_000) return end;
    now += afterMs + (draws.shift() ?? 0) * Math.min(8000, 500 * 2 ** index);
  }
  throw new Error("more attempts than in the plan");
}

/**
 * A client whose attempts end as planned. A successful attempt returns its number as the id of the
 * animal.
 */
function start({ fates, shares, ...limits }: Plan): ScriptedClient {
  const draws = [...shares];
  const clock = createClock({ random: () => draws.shift() ?? 0 });
  const scripted: ScriptedClient = scriptedClient(
    async () => {
      const id = scripted.requests.length;
      const { outcome, latencyMs, retryAfter } = fates[id - 1] as Fate;
      await clock.sleep(latencyMs);
      if (outcome === "success")
        return Response.json({ id, name: "Rex", categoryId: 7, status: "sold" });
      if (outcome === "drop") return await drop();
      if (outcome === "silence") return await silence();
      if (outcome === "stalled body") return new Response(new ReadableStream());
      const headers = retryAfter === undefined ? {} : { "Retry-After": `${retryAfter}` };
      return Response.json(
        { code: "unavailable", message: "Rejected.", status: outcome },
        { status: outcome, headers },
      );
    },
    { clock, ...limits },
  );
  return scripted;
}

function create({ client }: ScriptedClient, signal?: AbortSignal): Result<Pet> {
  return client.createPet({ name: "Rex", categoryId: 7 }, { signal });
}

function describeFailure(error: unknown): string {
  if (error instanceof TimeoutError) return "timeout";
  if (error instanceof ConnectionError) return "drop";
  return error instanceof ApiError ? `${error.status}` : String(error);
}

test("any sequence of failures: a call keeps its limits and returns the first success", async () => {
  const property = fc.asyncProperty(plans, async (plan) => {
    const scripted = start(plan);
    const { clock, requests } = scripted;
    const result = await clock.settle(
      create(scripted).then(({ id }) => `animal ${id}`, describeFailure),
    );
    const attempts = requests.length;
    expect({ attempts, at: clock.now(), result }).toStrictEqual(predict(plan));

    expect(new Set(requests.map(({ headers }) => headers.get("Idempotency-Key"))).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(clock.pending()).toBe(0);
  });
  await fc.assert(property, { numRuns: 1000 });
});

test("abort at any time: a call ends immediately and leaves no timer or listener", async () => {
  const property = fc.asyncProperty(plans, fc.nat(20_000), async (plan, abortAt) => {
    const scripted = start(plan);
    const { clock, requests } = scripted;
    const controller = new AbortController();
    const call = create(scripted, controller.signal)
      .then(({ id }) => `animal ${id}`, describeFailure)
      .then((result) => ({ result, at: clock.now() }));
    await clock.pass(abortAt);
    const sent = requests.length;
    controller.abort("aborted");

    const { result, at } = await call;
    const undisturbed = predict(plan);
    const expected = undisturbed.at <= abortAt ? undisturbed : { result: "aborted", at: abortAt };
    expect([result, at]).toStrictEqual([expected.result, expected.at]);
    expect(clock.pending()).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    await clock.pass(100_000);
    expect(requests).toHaveLength(sent);
  });
  await fc.assert(property, { numRuns: 500 });
});
