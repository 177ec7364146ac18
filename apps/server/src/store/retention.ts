/**
 * How many times faster than time itself the time of retention may pass, to make up for a
 * standstill.
 */
const speed = 24;

/**
 * What counts between two looks at the clock, in milliseconds: while nobody looks, it may go wrong.
 */
const longestLook = 60 * 60 * 1000;

/**
 * Says what is old enough to be removed. It has a time of its own, which is stored in the database
 * and follows the clock only as far as time has passed, by the monotonic clock of the process. So a
 * clock that is wrong, by hours or by years, costs at most the oldest day of what is kept, and
 * another one for each hour in which it is wrong.
 */
export class Retention {
  readonly #keptMs: number;
  /** In milliseconds since 1970. */
  #time: number;
  #lookedAt = performance.now();

  /**
   * @param stored its time in the database, in milliseconds since 1970
   * @param keptMs how long to keep things
   */
  constructor(stored: number, keptMs: number) {
    this.#time = stored;
    this.#keptMs = keptMs;
  }

  /** Its time, to be stored, and until when things are so old that they may be removed. */
  at(now: number): { time: number; oldUntil: number } {
    const lookedAt = performance.now();
    const passed = Math.min(lookedAt - this.#lookedAt, longestLook);
    this.#lookedAt = lookedAt;
    this.#time = Math.max(this.#time, Math.min(now, this.#time + speed * passed));
    const time = Math.min(now, Math.floor(this.#time));
    return { time, oldUntil: time - this.#keptMs };
  }
}

/**
 * The statements for the time that is stored. `advance` takes the parameter of a time, and mostly
 * has nothing to do.
 */
export const retentionSql = {
  read: "SELECT time FROM retention",
  advance: (time: string) => `UPDATE retention SET time = ${time} WHERE time < ${time} - 10000`,
};
