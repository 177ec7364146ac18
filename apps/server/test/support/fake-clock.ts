import { chmodSync, globSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A clock that a test sets while a process runs on it. */
export interface FakeClock {
  /** The environment of the process. */
  environment: Readonly<Record<string, string>>;
  /** Sets the clock, such as to `-30s`, `+2h` or `-40d` from the true time. */
  set(difference: string): void;
}

/**
 * A clock in a directory that the user of the process can enter. Like that of a machine, it does
 * not change the monotonic clock.
 */
export function createClock(directory: string): FakeClock {
  const [library = ""] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  const file = join(directory, "clock");
  function set(difference: string): void {
    writeFileSync(`${file}.new`, difference);
    chmodSync(`${file}.new`, 0o644);
    renameSync(`${file}.new`, file); // at once
  }
  set("+0s");
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      DONT_FAKE_MONOTONIC: "1",
      NO_FAKE_STAT: "1",
    },
    set,
  };
}
