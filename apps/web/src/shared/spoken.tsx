import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface SpokenProps {
  /** What is said, told apart by identity. It is spoken once, also if it comes into another place. `undefined` for nothing. */
  of: unknown;
  /** Whether it interrupts what is being read. */
  isUrgent?: boolean;
  /** Whether it is in another place now. */
  isElsewhere?: boolean;
  class?: string | undefined;
  children?: ComponentChildren;
}

/** What was said last, and where. */
const last: { [Role in "alert" | "status"]?: { of: unknown; place: object } } = {};

/**
 * A place whose text screen readers speak. It is on the page before the text, and has nothing but that: they drop or repeat parts of what
 * comes in several. So buttons are outside of it, and each text is one new element.
 */
export function Spoken({ of, isUrgent = false, isElsewhere = false, children, ...rest }: SpokenProps) {
  const role = isUrgent ? "alert" : "status";
  const place = useRef({}).current;
  const before = last[role];
  const wasSpoken = of !== undefined && before?.of === of && before.place !== place;
  useEffect(() => {
    if (isElsewhere || wasSpoken) return;
    if (of !== undefined) last[role] = { of, place };
    else if (before?.place === place) delete last[role]; // the same may be said again
  }, [of, isElsewhere, wasSpoken]);
  return (
    <div role={role} aria-live={wasSpoken ? "off" : undefined} {...rest}>
      {of !== undefined && !isElsewhere && <div key={of}>{children}</div>}
    </div>
  );
}
