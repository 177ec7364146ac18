import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

interface SpokenProps {
  /** What to say; empty for nothing. */
  text: string;
  /**
   * What is said, told apart by identity, if the same text may be said again. It is not repeated
   * when it comes into another place.
   */
  of?: unknown;
  /** Whether it interrupts what is being read. */
  isUrgent?: boolean;
  class?: string | undefined;
}

/** What was said last, and where. */
const last: { [Role in "alert" | "status"]?: { of: unknown; place: object } } = {};

/**
 * A text that screen readers speak, once. Of several parts they drop some or repeat all, and of a
 * text that changes they may read only the difference: so the place has nothing but this text,
 * buttons are outside, and it is empty for a moment before the next one. The place of a status must
 * be there before its text, and an alert must come with it (heard with Orca 43 and Firefox 153).
 */
export function Spoken({ text, of = text, isUrgent = false, ...rest }: SpokenProps) {
  const role = isUrgent ? "alert" : "status";
  const place = useRef({}).current;
  const before = last[role];
  const isRepeated = before !== undefined && before.of === of && before.place !== place;
  const shown = useSignal("");
  useEffect(() => {
    shown.value = "";
    if (text === "") return undefined;
    const frame = requestAnimationFrame(() => {
      shown.value = text;
      if (!isRepeated) last[role] = { of, place };
    });
    return () => cancelAnimationFrame(frame);
  }, [of, text]);
  if (isUrgent && shown.value === "") return null;
  return (
    <p role={role} aria-live={isRepeated ? "off" : undefined} {...rest}>
      {shown.value}
    </p>
  );
}
