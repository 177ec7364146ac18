import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Longer than between two taps of a finger, in milliseconds. */
const pauseMs = 700;

/**
 * Whether a button must pause, because it has just taken the place of another: a second tap was
 * meant for what was there before.
 */
export function useJustReplaced(shown: unknown): boolean {
  const settled = useSignal(shown);
  useEffect(() => {
    const timer = setTimeout(() => (settled.value = shown), pauseMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return settled.value !== shown;
}

/** How far apart two taps of a finger are, in pixels. */
const reachPx = 24;

/**
 * One press is one step. A key that is held presses once, and a second tap presses nothing else
 * than the first one, such as a button below a form that the first one has closed.
 */
export function ignoreRepeatedPresses(): void {
  addEventListener("keydown", (event) => {
    const isPress =
      event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
    if (event.repeat && event.key === "Enter" && isPress) event.preventDefault();
  });
  let last: { event: MouseEvent; meaning: string } | undefined;
  function onClick(event: MouseEvent): void {
    const button = event.target instanceof Element ? event.target.closest("button, a") : null;
    if (!button || event.detail === 0) return; // by a key
    const meaning = button.getAttribute("aria-label") ?? button.textContent;
    const isSecond = last !== undefined && isNear(last.event, event) && last.meaning !== meaning;
    if (isSecond) {
      event.preventDefault();
      event.stopPropagation();
    } else last = { event, meaning };
  }
  addEventListener("click", onClick, { capture: true });
}

function isNear(first: MouseEvent, second: MouseEvent): boolean {
  const distance = Math.hypot(second.clientX - first.clientX, second.clientY - first.clientY);
  return distance < reachPx && second.timeStamp - first.timeStamp < pauseMs;
}
