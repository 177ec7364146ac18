import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { words } from "../language/language.ts";

interface SelectProps {
  label: ComponentChildren;
  value: string;
  /** Whether the user has to choose. */
  isOpen?: boolean;
  options: readonly (readonly [value: string, text: string])[];
  onChoose: (value: string) => void;
}

/** A choice in the form for several animals. */
export function Select({ label, value, isOpen = false, options, onChoose }: SelectProps) {
  const id = useId();
  const isKnown = options.some(([each]) => each === value);
  return (
    <div class={isOpen ? "field sheet-choice is-open" : "field sheet-choice"}>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={isKnown ? value : ""}
        aria-invalid={isOpen}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {!isKnown && <option value="">{words.value.paste.choose}</option>}
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
