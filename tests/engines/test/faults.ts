/**
 * Runs in the page: what of the open dialog nobody can see or click, and what does not scroll
 * although it must.
 */
export function faults(): string[] {
  const dialog = document.querySelector("dialog[open]");
  const body = dialog?.querySelector(".dialog-body");
  if (!dialog || !body) return ["there is no dialog"];
  const found: string[] = [];

  // A dialog scrolls only when it cannot grow.
  const { height } = dialog.getBoundingClientRect();
  const isFull = height + 1 >= Number.parseFloat(getComputedStyle(dialog).maxHeight);
  if (body.scrollHeight > body.clientHeight + 1 && !isFull)
    found.push(
      `a dialog of ${Math.round(height)} px shows ${body.clientHeight} of ${body.scrollHeight} px`,
    );

  for (const column of [document.documentElement, ...document.querySelectorAll("body *")]) {
    const { overflowX, overflowY } = getComputedStyle(column);
    const isRoot = column === document.documentElement;
    const hidden = column.scrollHeight - column.clientHeight;
    if (hidden > 1 && (isRoot || /auto|scroll/.test(overflowY))) {
      column.scrollTop = hidden;
      if (column.scrollTop < hidden - 1)
        found.push(`does not scroll to its end: ${column.className}`);
      if (column.clientHeight < 44)
        found.push(`is ${column.clientHeight} px high: ${column.className}`);
    }
    const aside = column.scrollWidth - column.clientWidth;
    if (aside > 1 && isRoot) found.push(`the page is ${aside} px too wide`);
    if (aside > 1 && /auto|scroll/.test(overflowX)) {
      column.scrollLeft = aside;
      if (column.scrollLeft < aside - 1)
        found.push(`does not scroll sideways to its end: ${column.className}`);
      column.scrollLeft = 0;
    }
  }

  for (const control of dialog.querySelectorAll("button, input, textarea, select, a[href]")) {
    // What is drawn instead of a choice is its label.
    const target = control.matches("[type=radio], [type=checkbox], [type=file]")
      ? control.closest("label")
      : control;
    // or folded away
    if (!target || target.getClientRects().length === 0 || !target.checkVisibility()) continue;
    target.scrollIntoView({ block: "center", inline: "center" });
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const name = `${control.tagName} ${control.ariaLabel ?? target.textContent}`.slice(0, 60);
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
      found.push(`outside of the page: ${name}`);
    if (!target.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)))
      found.push(`covered: ${name}`);
  }
  return found;
}
