/**
 * The code of a key that an input method has used. Safari reports the key that ends a composition
 * after its end, where only this tells.
 */
const usedKeyCode = 229;

let isInUse = false;

/** Whether the key that was pressed last belongs to an input method, until it is released. */
export function isKeyOfInputMethod(): boolean {
  return isInUse;
}

/**
 * Keeps keys from every listener of the board while an input method composes characters, as for
 * Japanese: Enter takes what it proposes, the arrow keys choose, and Escape drops it.
 */
export function leaveKeysToInputMethods(): void {
  addEventListener(
    "keydown",
    (event) => {
      isInUse = event.isComposing || event.keyCode === usedKeyCode;
      if (isInUse) event.stopImmediatePropagation();
    },
    { capture: true },
  );
  addEventListener("keyup", () => (isInUse = false), { capture: true });
}
