import { fieldNames, petFields, type FieldName, type PetField } from "@petstore/contract/fields";
import type { FieldProblems } from "../language/field-problems.ts";
import { formatNumber, words } from "../language/language.ts";
import { categoryMeaning, categoryNames } from "../pets/categories.ts";
import type { Fields } from "../pets/pet-fields.ts";
import { choiceTexts, lengthOf, problemText } from "../pets/rules.ts";

interface PetInputsProps {
  values: Fields;
  /** Those to show. */
  problems: FieldProblems;
  isLocked?: boolean;
  /** Whether the status is chosen here, and not with the buttons of the animal. */
  isNew?: boolean;
  onChange: (change: Partial<Fields>) => void;
  onLeave?: (name: FieldName) => void;
}

/** An input for each field of an animal, in a form that adds or changes one. */
export function PetInputs({
  values,
  problems,
  isLocked = false,
  isNew = false,
  onChange,
  onLeave,
}: PetInputsProps) {
  return fieldNames.map((name, index) => {
    const props = {
      key: name,
      name,
      value: values[name],
      onChange: (value: string) => onChange({ [name]: value }),
    };
    if (name === "status" && !isNew) return null;
    if (petFields[name].kind === "choice") return <Choice {...props} />;
    return (
      <TextField
        {...props}
        problem={problemText(name, problems, values[name])}
        isLocked={isLocked}
        isFirst={isNew && index === 0}
        onLeave={() => onLeave?.(name)}
      />
    );
  });
}

interface ChoiceProps {
  name: FieldName;
  value: string;
  onChange: (value: string) => void;
}

function Choice({ name, value, onChange }: ChoiceProps) {
  return (
    <fieldset class="field">
      <legend>{words.value.fields[name]}</legend>
      <div class="segments">
        {Object.entries(choiceTexts(name)).map(([choice, text]) => (
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

interface TextFieldProps extends ChoiceProps {
  /** Empty if there is none. Its space is always reserved. */
  problem: string;
  isLocked: boolean;
  isFirst: boolean;
  onLeave: () => void;
}

/**
 * A category is entered by its number, or the name that the operator gave to it, or a beginning of
 * that.
 */
function TextField({ name, value, problem, isLocked, isFirst, onChange, onLeave }: TextFieldProps) {
  const field: PetField = petFields[name];
  const suggestions = name === "categoryId" ? [...categoryNames.values()] : [];
  const isNumber = field.kind === "int64" && suggestions.length === 0;
  const isOver = field.kind === "text" && lengthOf(value.trim()) > field.max;
  const id = `add-${name}`;
  return (
    <div class="field">
      <div class="field-label">
        <label for={id}>{words.value.fields[name]}</label>
        <span id={`${id}-advice`} class={isOver ? "field-count is-over" : "field-count"}>
          {adviceOn(name, value)}
        </span>
      </div>
      <input
        id={id}
        name={name}
        value={value}
        // Text even for a number, which the browser would round, and whose invalid input it would
        // hide.
        type="text"
        inputMode={isNumber ? "numeric" : "text"}
        list={suggestions.length > 0 ? `${id}-list` : undefined}
        dir={isNumber ? "ltr" : "auto"}
        autocomplete="off"
        autofocus={isFirst}
        readOnly={isLocked}
        aria-required={!field.isOptional}
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

/** What to enter, or how much was entered. */
function adviceOn(name: FieldName, value: string): string {
  const { add: text } = words.value;
  const field: PetField = petFields[name];
  if (field.kind === "text")
    return text.textLength(formatNumber(lengthOf(value.trim())), formatNumber(field.max));
  const meaning = name === "categoryId" ? categoryMeaning(value) : undefined;
  return (
    meaning ??
    (name === "categoryId" && categoryNames.size > 0 ? text.categoryAdviceNamed : text.numberAdvice)
  );
}
