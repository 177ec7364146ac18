const tickMs = 5;

/** How late a tick may be for reasons outside this process. */
const mostLateMs = 20;

let passedMs = 0;
let ticking: NodeJS.Timeout | undefined;

/**
 * Milliseconds like those of `performance.now()`, without the time in which other programs had the processor: the guarantees of the
 * service hold on an idle machine, and the machine of the tests is busy. Time in which
 * this process is blocked without working, as by `fsync`, is not counted either.
 */
export function ownNow(): number {
  ticking ??= startTicking();
  return passedMs;
}

function startTicking(): NodeJS.Timeout {
  let [lastTick, lastWorked] = [performance.now(), workedMs()];
  return setInterval(() => {
    const [tick, worked] = [performance.now(), workedMs()];
    passedMs += Math.min(tick - lastTick, Math.max(mostLateMs, worked - lastWorked));
    [lastTick, lastWorked] = [tick, worked];
  }, tickMs).unref();
}

function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
