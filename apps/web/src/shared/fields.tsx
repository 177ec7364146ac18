import { petStatuses, type PetStatus } from "@petstore/client";
import { words } from "./language.ts";

interface TextFieldProps {
  name: string;
  label: string;
  value: string;
  /** What to enter, or how much was entered. */
  advice: string;
  /** Whether more was entered than fits. */
  isOver?: boolean;
  /** Empty while there is none. Its place is always reserved. */
  problem: string;
  isLocked: boolean;
  isFirst?: boolean;
  isNumber?: boolean;
  onChange: (value: string) => void;
  onLeave: () => void;
}

export function TextField(props: TextFieldProps) {
  const { name, label, value, advice, isOver, problem, isLocked, isFirst, isNumber, onChange, onLeave } = props;
  const id = `add-${name}`;
  return (
    <div class="field">
      <div class="field-label">
        <label for={id}>{label}</label>
        <span id={`${id}-advice`} class={isOver ? "field-count is-over" : "field-count"}>
          {advice}
        </span>
      </div>
      <input
        id={id}
        name={name}
        value={value}
        // Text also for a number: the browser would round it, and hide invalid input.
        type="text"
        inputMode={isNumber ? "numeric" : "text"}
        dir={isNumber ? "ltr" : "auto"}
        autocomplete="off"
        autofocus={isFirst}
        readOnly={isLocked}
        aria-required
        aria-invalid={problem !== ""}
        aria-describedby={`${id}-advice ${id}-problem`}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={({ currentTarget }) => currentTarget.value !== "" && onLeave()}
      />
      <p id={`${id}-problem`} class="field-problem" aria-live="polite">
        {problem}
      </p>
    </div>
  );
}

interface StatusChoiceProps {
  value: PetStatus;
  isLocked: boolean;
  onChange: (status: PetStatus) => void;
}

export function StatusChoice({ value, isLocked, onChange }: StatusChoiceProps) {
  const { fields, statuses } = words.value;
  return (
    <fieldset class="field" aria-disabled={isLocked}>
      <legend>{fields.status}</legend>
      <div class="segments">
        {petStatuses.map((status) => (
          <label key={status}>
            <input
              type="radio"
              name="status"
              value={status}
              checked={status === value}
              // Not disabled, which would lose the focus. Arrow keys click, too.
              onClick={(event) => isLocked && event.preventDefault()}
              onChange={() => onChange(status)}
            />
            <span>{statuses[status]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
