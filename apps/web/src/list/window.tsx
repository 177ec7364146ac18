import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface WindowProps {
  count: number;
  /** Whether no more are known to come. */
  isComplete: boolean;
  /** Whether to highlight an item. */
  isNew: (index: number) => boolean;
  /** An item to draw even when it is far from the screen, because it has the focus; -1 for none. */
  kept: number;
  label: string;
  /** Called with the indexes of the first and the last item on the screen. */
  onShow: (first: number, last: number) => void;
  children: (index: number) => ComponentChildren;
}

/** How many items to draw above and below the screen. */
const margin = 8;

/** The height of an item, in pixels: measured, because text zoom changes it. */
const height = signal(60);

/** A list that draws only the items near the screen, so that ten thousand scroll as fast as ten. All items have the same height. */
export function Window({ count, isComplete, isNew, kept, label, onShow, children }: WindowProps) {
  const list = useRef<HTMLUListElement>(null);
  const first = useSignal(0);
  const last = useSignal(0);

  useLayoutEffect(() => {
    let frame = 0;
    function measure(): void {
      frame = 0;
      if (!list.current) return;
      height.value = list.current.firstElementChild?.getBoundingClientRect().height || height.peek();
      const above = -list.current.getBoundingClientRect().top;
      first.value = Math.max(0, Math.floor(above / height.peek()));
      last.value = Math.max(0, Math.ceil((above + innerHeight) / height.peek()) - 1);
    }
    const schedule = (): void => {
      frame ||= requestAnimationFrame(measure); // once per frame, however many events it has
    };
    const resizes = new ResizeObserver(schedule);
    resizes.observe(document.documentElement);
    addEventListener("scroll", schedule, { passive: true });
    measure();
    return () => {
      cancelAnimationFrame(frame);
      resizes.disconnect();
      removeEventListener("scroll", schedule);
    };
  }, []);

  useLayoutEffect(() => onShow(first.value, Math.min(last.value, count - 1)), [first.value, last.value, count]);

  const start = Math.max(0, first.value - margin);
  const end = Math.min(last.value + margin, count - 1);
  const indexes = Array.from({ length: Math.max(0, end - start + 1) }, (_, offset) => start + offset);
  if (kept >= 0 && kept < count && (kept < start || kept > end)) indexes.push(kept);
  return (
    <ul
      ref={list}
      class="pets"
      aria-label={label}
      style={{ height: `${count * height.value}px`, paddingTop: `${start * height.value}px` }}
    >
      {indexes.map((index) => (
        <li
          key={index}
          style={index < start || index > end ? { position: "absolute", top: `${index * height.value}px` } : undefined}
          class={`${index === count - 1 ? "is-last" : ""} ${isNew(index) ? "is-new" : ""}`}
          aria-setsize={isComplete ? count : -1}
          aria-posinset={index + 1}
        >
          {children(index)}
        </li>
      ))}
    </ul>
  );
}

/** Scrolls to an item of the list, unless it is on the screen. */
export function scrollToItem(list: Element, index: number): void {
  const top = list.getBoundingClientRect().top + index * height.peek();
  const header = Number.parseFloat(getComputedStyle(list).scrollMarginTop);
  if (top < header || top + height.peek() > innerHeight) scrollBy(0, top - (innerHeight - height.peek()) / 2);
}
