import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface WindowProps {
  count: number;
  /** An item to draw even when it is far from the screen, because it has the focus; -1 for none. */
  kept: number;
  label: string;
  /** Called with the index of the last item that is drawn. */
  onReach: (index: number) => void;
  children: (index: number) => ComponentChildren;
}

/** How many items to draw above and below the screen. */
const margin = 8;

/**
 * A list that draws only the items near the screen, so that ten thousand scroll as fast as ten. All items have the same height: that of
 * the first one, measured, because text zoom changes it.
 */
export function Window({ count, kept, label, onReach, children }: WindowProps) {
  const list = useRef<HTMLUListElement>(null);
  const start = useSignal(0);
  const end = useSignal(20);
  const height = useSignal(60);

  useLayoutEffect(() => {
    let frame = 0;
    function measure(): void {
      frame = 0;
      if (!list.current) return;
      height.value = list.current.firstElementChild?.getBoundingClientRect().height ?? height.value;
      const above = -list.current.getBoundingClientRect().top;
      start.value = Math.max(0, Math.floor(above / height.value) - margin);
      end.value = Math.max(0, Math.ceil((above + innerHeight) / height.value) + margin);
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

  const last = Math.min(end.value, count);
  useLayoutEffect(() => onReach(last - 1), [last, count]);

  const indexes = Array.from({ length: Math.max(0, last - start.value) }, (_, offset) => start.value + offset);
  if (kept >= 0 && kept < count && !indexes.includes(kept)) indexes.push(kept);
  return (
    <ul ref={list} class="pets" aria-label={label} style={{ height: `${count * height.value}px` }}>
      {indexes.map((index) => (
        <li
          key={index}
          style={{ transform: `translateY(${index * height.value}px)` }}
          aria-setsize={-1}
          aria-posinset={index + 1}
        >
          {children(index)}
        </li>
      ))}
    </ul>
  );
}
