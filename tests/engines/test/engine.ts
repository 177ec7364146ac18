import { eventually } from "@petstore/test-kit/eventually";

/**
 * A page in a browser that starts without history. Its operations wait for elements, and for
 * nothing else.
 */
export interface Tab extends AsyncDisposable {
  open(address: string): Promise<void>;
  /** Sets the size of the page, without the window around it. */
  resize(width: number, height: number): Promise<void>;
  /** Clicks as a person does: on what is in the middle of the element. */
  click(selector: string, name?: string): Promise<void>;
  /** Replaces the text of a field, key by key. */
  fill(selector: string, text: string): Promise<void>;
  press(key: "Enter" | "Escape"): Promise<void>;
  /**
   * Prints the page. The driver of WebKit cannot: there, the page is only told that it is printed.
   */
  print(): Promise<void>;
  /** Runs a function in the page. It uses nothing around it. */
  run<Result, Args extends unknown[]>(
    script: (...args: Args) => Result,
    ...args: Args
  ): Promise<Result>;
  /** What went wrong in the page since it was opened. */
  errors(): Promise<string[]>;
}

/** Runs in the page: the shown element whose name contains this text. */
export function find(selector: string, name: string): Element | undefined {
  return [...document.querySelectorAll(selector)].find((element) => {
    const isNamed = (element.ariaLabel ?? element.textContent).includes(name);
    return isNamed && element.getClientRects().length > 0;
  });
}

/** Waits until `look` finds something. */
export async function untilFound<Found>(
  look: () => Promise<Found | null | undefined>,
): Promise<Found> {
  let found: Found | null | undefined;
  await eventually(async () => ((found = await look()) ?? undefined) !== undefined);
  return found as Found;
}
