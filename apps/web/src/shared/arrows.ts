const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Moves the focus between the controls of a group, of which the tab key reaches only one. */
export function moveByArrow(event: KeyboardEvent): void {
  const step = steps[event.key];
  const group = event.currentTarget;
  if (step === undefined || !(group instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  const controls = [...group.querySelectorAll<HTMLElement>("a, button, select")];
  const at = controls.indexOf(document.activeElement as HTMLElement);
  const direction = group.matches(":dir(rtl)") ? -1 : 1;
  event.preventDefault();
  controls[at + step * direction]?.focus();
}
