import { expect, test } from "vitest";
import { Retention } from "../src/store/retention.ts";
import { holdClock } from "./support/hold-clock.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** A clock that is right. */
const now = Date.UTC(2028, 0, 1);

/**
 * The days by which the time of retention moves on, from the right time, for each pair of hours
 * that pass and a clock.
 */
function daysAfter(
  looks: readonly (readonly [hours: number, clock: number])[],
  stored = now,
): number[] {
  const pass = holdClock();
  const retention = new Retention(stored, 400 * day);
  return looks.map(([hours, clock]) => {
    pass(hours * hour);
    const { time, oldUntil } = retention.at(clock);
    expect(time - oldUntil).toBe(400 * day);
    return (time - stored) / day;
  });
}

test("it follows a clock that is right", () => {
  expect(daysAfter([0.5, 1, 20].map((hours) => [hours, now + hours * hour]))).toEqual([
    0.5 / 24,
    1 / 24,
    20 / 24,
  ]);
});

test("a clock that steps ahead moves it by nothing at once", () => {
  expect(daysAfter([[0, now + 500 * day]])).toEqual([0]);
});

test("a clock that stays ahead moves it by a day each hour", () => {
  expect(daysAfter([0.5, 0.5, 1].map((hours) => [hours, now + 500 * day]))).toEqual([0.5, 1, 2]);
});

test("a clock that was ahead for half an hour has moved it by half a day, which then stands until it is reached", () => {
  const looks = [
    [0.5, now + 500 * day],
    [0.5, now + hour],
    [1, now + day],
  ] as const;
  expect(daysAfter(looks)).toEqual([0.5, 1 / 24, 1]);
});

test("after a month without a look, a clock that is ahead moves it by a day", () => {
  expect(daysAfter([[30 * 24, now + 500 * day]])).toEqual([1]);
});

test("a clock that steps back moves it back, and it is there again with the clock", () => {
  const looks = [
    [1, now - 40 * day],
    [0, now],
  ] as const;
  expect(daysAfter(looks)).toEqual([-40, 0]);
});

test("after a standstill of three days it has caught up with the clock in as many hours", () => {
  const looks = [1, 2, 3, 4].map((hours) => [1, now + 3 * day + hours * hour] as const);
  expect(daysAfter(looks)).toEqual([1, 2, 3, 3 + 4 / 24]);
});

test("many looks at once move it as far as one", () => {
  const looks = Array.from(
    { length: 3_600_000 / 1_000 },
    () => [1 / 3_600, now + 500 * day] as const,
  );
  expect(daysAfter(looks).at(-1)).toBeCloseTo(1, 6);
});
