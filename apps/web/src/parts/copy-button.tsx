import { useSignal } from "@preact/signals";
import { words } from "../language/language.ts";
import { Icon } from "./icons.tsx";

interface CopyButtonProps {
  text: string;
  /** @default "Copy" */
  label?: string | undefined;
  isQuiet?: boolean;
}

/** Copies a text, and confirms it for two seconds. */
export function CopyButton({ text, label, isQuiet = true }: CopyButtonProps) {
  const isCopied = useSignal(false);
  async function copy(): Promise<void> {
    await copyText(text);
    isCopied.value = true;
    setTimeout(() => (isCopied.value = false), 2_000);
  }
  const { actions } = words.value;
  return (
    <button type="button" class={isQuiet ? "quiet" : undefined} onClick={copy}>
      <Icon name={isCopied.value ? "check" : "copy"} />
      <span aria-live="polite">{isCopied.value ? actions.copied : (label ?? actions.copy)}</span>
    </button>
  );
}

/**
 * Works even where browsers lack the clipboard API, as in pages loaded over plain HTTP, or deny its
 * use.
 */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const { activeElement } = document;
    const field = document.createElement("textarea");
    field.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    if (activeElement instanceof HTMLElement) activeElement.focus();
  }
}
