import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface VirtualListProps<Item extends { id: string }> {
  items: readonly Item[];
  /** Whether all items are known. */
  isComplete: boolean;
  /** The id of an item to draw even when it is far from the screen, because it has the focus. */
  kept: string | undefined;
  label: string;
  classOf: (item: Item) => string;
  /** Called with the indexes of the first and the last item on the screen. */
  onShow: (first: number, last: number) => void;
  children: (item: Item) => ComponentChildren;
}

/** How many items to draw above and below the screen. */
const margin = 8;

/**
 * The height of an item, in pixels: measured, because text zoom and the width of the page change
 * it.
 */
const height = signal(52);

/**
 * A list that draws only the items near the screen, so that ten thousand scroll as fast as ten. All
 * items have the same height.
 */
export function VirtualList<Item extends { id: string }>(props: VirtualListProps<Item>) {
  const { items, isComplete, kept, label, classOf, onShow, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const first = useSignal(0);
  const last = useSignal(0);
  const current = useRef(items);
  current.current = items;
  /**
   * The first whole item on the screen, and its position, which it keeps when others come or go,
   * and when the device is turned.
   */
  const anchor = useRef<{ id: string; top: number; isScrolled: boolean } | undefined>(undefined);
  /**
   * Whether all items were known before the present change. Until then the first ones have not
   * come.
   */
  const wasComplete = useRef(isComplete);

  /** Scrolls until the anchor is where it was. */
  function keepPlace(element: HTMLElement): void {
    const index = current.current.findIndex(({ id }) => id === anchor.current?.id);
    if (index < 0 || !anchor.current) return;
    const top = element.getBoundingClientRect().top + index * height.peek();
    const moved = top - hiddenHeight(element) - anchor.current.top;
    if (moved !== 0) scrollBy(0, moved);
  }

  useLayoutEffect(() => {
    let frame = 0;
    let width = innerWidth;
    function measure(): void {
      frame = 0;
      const element = list.current;
      if (!element) return;
      const measured = element.firstElementChild?.getBoundingClientRect().height || height.peek();
      const isTurned = measured !== height.peek() || width !== innerWidth;
      width = innerWidth;
      height.value = measured;
      if (isTurned && anchor.current?.isScrolled) {
        element.style.height = `${current.current.length * measured}px`; // before it is drawn again
        keepPlace(element);
      }
      const top = element.getBoundingClientRect().top;
      const hidden = hiddenHeight(element);
      first.value = Math.max(0, Math.floor((hidden - top) / measured));
      last.value = Math.max(0, Math.ceil((shownBottom() - top) / measured) - 1);
      const whole = Math.max(0, Math.ceil((hidden - top) / measured));
      const item = current.current[whole];
      anchor.current = item && {
        id: item.id,
        top: top + whole * measured - hidden,
        isScrolled: scrollY > 0,
      };
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

  // Items that come or go above the screen do not move those on it: when someone has scrolled
  // there, or is about to use one.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const isUsed = element.matches(wasComplete.current ? ":hover, :focus-within" : ":focus-within");
    if (anchor.current?.isScrolled || isUsed) keepPlace(element);
    wasComplete.current = isComplete;
  }, [items, isComplete]);

  useLayoutEffect(
    () => onShow(first.value, Math.min(last.value, items.length - 1)),
    [first.value, last.value, items],
  );

  const start = Math.max(0, Math.min(first.value - margin, items.length - 1));
  const end = Math.min(last.value + margin, items.length - 1);
  const drawn = items
    .slice(start, end + 1)
    .map((item, offset) => ({ item, index: start + offset }));
  const keptIndex = kept === undefined ? -1 : items.findIndex(({ id }) => id === kept);
  const far = items[keptIndex];
  if (far && (keptIndex < start || keptIndex > end)) drawn.push({ item: far, index: keptIndex });
  return (
    <ul
      ref={list}
      class="pets"
      aria-label={label}
      style={{
        height: `${items.length * height.value}px`,
        paddingTop: `${start * height.value}px`,
      }}
    >
      {drawn.map(({ item, index }) => (
        <li
          key={item.id}
          style={
            index < start || index > end
              ? { position: "absolute", top: `${index * height.value}px` }
              : undefined
          }
          class={classOf(item)}
          aria-setsize={isComplete ? items.length : -1}
          aria-posinset={index + 1}
        >
          {children(item)}
        </li>
      ))}
    </ul>
  );
}

/** How much of the top of the screen the header covers. */
function hiddenHeight(list: Element): number {
  return Number.parseFloat(getComputedStyle(list).scrollMarginTop);
}

/** Where the messages cover the bottom of the screen. */
function shownBottom(): number {
  const { top = innerHeight } =
    document.querySelector("main > .messages")?.getBoundingClientRect() ?? {};
  return Math.min(top, innerHeight);
}

/** Scrolls to an item of the list, unless it is on the screen. */
export function scrollToItem(list: Element, index: number): void {
  const top = list.getBoundingClientRect().top + index * height.peek();
  if (top < hiddenHeight(list) || top + height.peek() > shownBottom()) {
    scrollBy(0, top - (innerHeight - height.peek()) / 2);
  }
}
