import type { ComponentChildren } from "preact";
import { addressOf, show, type View } from "../browser/address.ts";

interface LinkProps {
  to: Partial<View>;
  isCurrent?: boolean;
  /** Whether the back button skips the current view. */
  isReplacing?: boolean;
  class?: string;
  tabIndex?: number;
  children: ComponentChildren;
}

/** A link to a view. Opens in a new tab as other links do. */
export function Link({ to, isCurrent = false, isReplacing = false, children, ...rest }: LinkProps) {
  function follow(event: MouseEvent): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    show(to, isReplacing);
  }
  return (
    <a
      href={addressOf(to)}
      aria-current={isCurrent ? "page" : undefined}
      onClick={follow}
      {...rest}
    >
      {children}
    </a>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Moves the focus between the controls of a group, of which the tab key reaches only one. */
export function moveByArrow(event: KeyboardEvent): void {
  const step = steps[event.key];
  const group = event.currentTarget;
  if (
    step === undefined ||
    !(group instanceof HTMLElement) ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey
  )
    return;
  const controls = [...group.querySelectorAll<HTMLElement>("a, button, select")];
  const at = controls.indexOf(document.activeElement as HTMLElement);
  const direction = group.matches(":dir(rtl)") ? -1 : 1;
  event.preventDefault();
  controls[at + step * direction]?.focus();
}
