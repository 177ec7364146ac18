import { petStatuses } from "@petstore/client";
import { others, skip, type Meaning, type ValuedField } from "@petstore/sheet";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { fold } from "../language/fold.ts";
import { formatNumber, words } from "../language/language.ts";
import { categoryLabel, categoryNames } from "../pets/categories.ts";
import { Select } from "./select.tsx";
import { answers, answerValue, sheet } from "./sheet.ts";

/** How many values of a column are listed. */
const listedValues = 30;

/** What the values of a column mean, those without a meaning first. */
export function Values({ field }: { field: ValuedField }) {
  const { paste, fields: labels } = words.value;
  const read = sheet.value;
  if (!read) return null;
  const hasColumn = read.columns[field] !== undefined;
  // Numbers of categories, the words that the board itself uses, and an empty column need no
  // explanation.
  const isPlain = ({ value, means, isDefault }: Meaning): boolean =>
    hasColumn &&
    (isDefault || value === means || (means !== undefined && value === textOf(field, means)));
  const all = read.meanings[field].filter((meaning) => !isPlain(meaning));
  const decided = answers.value.values[field] ?? {};
  if (all.length === 0 || (!hasColumn && read.unsure.includes(field))) return null;
  // What was guessed comes first, where it is seen, then what the user has to decide, all of it if
  // there is room. Both stay there.
  const unknown = all.filter(({ isKnown }) => !isKnown).slice(0, listedValues);
  const guessed = all.filter(({ isKnown }) => isKnown).slice(0, listedValues - unknown.length);
  const isGuess = ({ value, means, isKnown }: Meaning): boolean =>
    isKnown && decided[value] === undefined && fold(value) !== fold(textOf(field, means ?? ""));
  const open = all.filter(({ means }) => means === undefined).length;
  return (
    <fieldset class="field sheet-values">
      <legend>{paste.values(labels[field])}</legend>
      {(open > 1 || decided[others] !== undefined) && (
        <Value
          field={field}
          label={paste.others(formatNumber(open))}
          means={decided[others]}
          onChoose={(chosen) => answerValue(field, others, chosen)}
        />
      )}
      {[...guessed, ...unknown].map((meaning) => {
        const { value, rows, means } = meaning;
        return (
          <Value
            key={value}
            field={field}
            label={
              <>
                {value === "" ? hasColumn ? paste.noValue : paste.allRows : <bdi>{value}</bdi>}{" "}
                <span class="meta">{paste.rowCount(formatNumber(rows))}</span>
                {isGuess(meaning) && <span class="guess">{paste.guessed}</span>}
              </>
            }
            means={means}
            onChoose={(chosen) => answerValue(field, value, chosen)}
          />
        );
      })}
    </fieldset>
  );
}

interface ValueProps {
  field: ValuedField;
  label: ComponentChildren;
  means: string | undefined;
  onChoose: (means: string | undefined) => void;
}

function Value({ field, label, means, onChoose }: ValueProps) {
  const { paste } = words.value;
  const id = useId();
  if (field === "categoryId" && categoryNames.size === 0) {
    // Without names of categories: its number, or the words for leaving it out.
    const toMeaning = (text: string): string | undefined => {
      if (text.trim() === paste.leaveOut) return skip;
      return /^-?\d+$/.test(text.trim()) ? text.trim() : undefined;
    };
    return (
      <div class={means === undefined ? "field sheet-choice is-open" : "field sheet-choice"}>
        <label for={id}>{label}</label>
        <input
          id={id}
          list={`${id}-list`}
          defaultValue={means === skip ? paste.leaveOut : (means ?? "")}
          placeholder={words.value.add.numberAdvice}
          aria-invalid={means === undefined}
          onChange={(event) => onChoose(toMeaning(event.currentTarget.value))}
        />
        <datalist id={`${id}-list`}>
          <option value={paste.leaveOut} />
        </datalist>
      </div>
    );
  }
  const choices = field === "status" ? petStatuses : [...categoryNames.keys()];
  const known =
    means === undefined || means === skip || choices.some((choice) => choice === means)
      ? choices
      : [...choices, means];
  return (
    <Select
      label={label}
      value={means ?? ""}
      isOpen={means === undefined}
      options={[
        ...known.map((choice) => [choice, textOf(field, choice)] as const),
        [skip, paste.leaveOut],
      ]}
      onChoose={onChoose}
    />
  );
}

function textOf(field: ValuedField, means: string): string {
  const statuses: Readonly<Record<string, string>> = words.value.statuses;
  return field === "status" ? (statuses[means] ?? means) : categoryLabel(means);
}
