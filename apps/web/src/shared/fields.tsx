import { categoryMeaning, categoryNames } from "./categories.ts";
import { words } from "./language.ts";

interface TextFieldProps {
  name: string;
  label: string;
  value: string;
  /** What to enter, or how much was entered. */
  advice: string;
  /** Whether more was entered than fits. */
  isOver?: boolean;
  /** Empty if there is none. Its space is always reserved. */
  problem: string;
  isLocked?: boolean | undefined;
  isFirst?: boolean;
  isNumber?: boolean;
  isOptional?: boolean | undefined;
  /** What the browser offers to choose. */
  suggestions?: readonly string[] | undefined;
  onChange: (value: string) => void;
  onLeave: () => void;
}

export function TextField(props: TextFieldProps) {
  const {
    name,
    label,
    value,
    advice,
    isOver,
    problem,
    isLocked,
    isFirst,
    isNumber,
    isOptional = false,
    suggestions = [],
    onChange,
    onLeave,
  } = props;
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
        // Text even for a number, which the browser would round, and whose invalid input it would hide.
        type="text"
        inputMode={isNumber ? "numeric" : "text"}
        list={suggestions.length > 0 ? `${id}-list` : undefined}
        dir={isNumber ? "ltr" : "auto"}
        autocomplete="off"
        autofocus={isFirst}
        readOnly={isLocked}
        aria-required={!isOptional}
        aria-invalid={problem !== ""}
        aria-describedby={`${id}-advice ${id}-problem`}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={({ currentTarget }) => currentTarget.value !== "" && onLeave()}
      />
      {suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      <p id={`${id}-problem`} class="field-problem" aria-live="polite">
        {problem}
      </p>
    </div>
  );
}

/** The field for a category: its number, or the name that the operator gave to it, or a beginning of that. */
export function CategoryField(props: Omit<TextFieldProps, "advice">) {
  const { add: text } = words.value;
  const names = [...categoryNames.values()];
  const advice = names.length > 0 ? text.categoryAdviceNamed : text.numberAdvice;
  return (
    <TextField
      {...props}
      advice={categoryMeaning(props.value) ?? advice}
      isNumber={names.length === 0}
      suggestions={names}
    />
  );
}

interface CheckboxProps {
  label: string;
  isChecked: boolean;
  /** The id of an element that says more. */
  describedBy?: string;
  onChange: (isChecked: boolean) => void;
}

export function Checkbox({ label, isChecked, describedBy, onChange }: CheckboxProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isChecked}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

interface ChoiceProps extends Pick<TextFieldProps, "name" | "label" | "value" | "onChange"> {
  /** The choices, in words. */
  texts: Readonly<Record<string, string>>;
}

export function Choice({ name, label, value, texts, onChange }: ChoiceProps) {
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="segments">
        {Object.entries(texts).map(([choice, text]) => (
          <label key={choice} class="button">
            <input
              type="radio"
              name={name}
              value={choice}
              checked={choice === value}
              onChange={() => onChange(choice)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
