import { petStatuses } from "@petstore/client";
import { fieldNames, type FieldName } from "@petstore/contract/fields";
import {
  encodings,
  nonAsciiCells,
  others,
  skip,
  valuedFields,
  type Encoding,
  type Meaning,
  type ValuedField,
} from "@petstore/sheet";
import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { categoryLabel, categoryNames } from "../shared/categories.ts";
import { formatNumber, words } from "../shared/language.ts";
import {
  answerColumn,
  answerNameless,
  answers,
  answerValue,
  chooseEncoding,
  chooseTable,
  confirmGuesses,
  isChoosing,
  isUnconfirmed,
  opened,
  sheet,
  table,
  tableIndex,
} from "./sheet.ts";

/** How many values of a column are listed. */
const listedValues = 30;

const sampleCount = 3;

/** What the sheet means, as far as the user can decide it: the encoding, the columns, the values. */
export function Choices() {
  const { paste } = words.value;
  const read = sheet.value;
  const file = opened.value;
  if (!read || !file) return null;
  return (
    <details
      class="sheet-choices"
      open={isChoosing.value}
      onToggle={(event) => (isChoosing.value = event.currentTarget.open)}
    >
      <summary>
        {paste.choices} <ColumnNames />
      </summary>
      <div class="fields">
        {file.tables.length > 1 && (
          <Select
            label={paste.table}
            value={String(tableIndex.value)}
            options={file.tables.map(({ name = "" }, at) => [String(at), name])}
            onChoose={(at) => chooseTable(Number(at))}
          />
        )}
        {file.source?.wasUnsure === true && (
          <Select
            label={`${paste.encoding} ${nonAsciiCells(file.tables[tableIndex.value] ?? file.tables[0], sampleCount).join(", ")}`}
            value={file.encoding ?? ""}
            isOpen={file.isUnsure}
            options={encodings.map((encoding) => [encoding, encoding])}
            onChoose={(encoding) => void chooseEncoding(encoding as Encoding)}
          />
        )}
        <div class="sheet-columns">
          {fieldNames.map((field) => (
            <Column key={field} field={field} />
          ))}
        </div>
        <Nameless />
        {isUnconfirmed.value && (
          <button type="button" class="sheet-confirm" onClick={confirm}>
            {paste.confirm}
          </button>
        )}
        {valuedFields.map((field) => (
          <Values key={field} field={field} />
        ))}
        {read.above > 0 && <p class="field-hint">{paste.above(formatNumber(read.above))}</p>}
        {read.unused.length > 0 && (
          <p class="field-hint">
            <bdi>{paste.ignored(read.unused.join(", "))}</bdi>
          </p>
        )}
      </div>
    </details>
  );
}

/** Confirms what was guessed. The button goes away, so the focus moves to what it belonged to. */
function confirm({ currentTarget }: { currentTarget: HTMLElement }): void {
  confirmGuesses();
  currentTarget.closest("details")?.querySelector("summary")?.focus();
}

/** The chosen columns in one line. */
function ColumnNames() {
  const { fields: labels } = words.value;
  const { columns, names = [] } = sheet.value ?? {};
  return (
    <span class="meta">
      {fieldNames.map((field) => {
        const column = columns?.[field];
        return (
          column !== undefined && (
            <span key={field} class="sheet-column">
              {labels[field]}: <bdi>{names[column]}</bdi>
            </span>
          )
        );
      })}
    </span>
  );
}

interface SelectProps {
  label: ComponentChildren;
  value: string;
  /** Whether the user has to choose. */
  isOpen?: boolean;
  options: readonly (readonly [value: string, text: string])[];
  onChoose: (value: string) => void;
}

function Select({ label, value, isOpen = false, options, onChoose }: SelectProps) {
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

function Column({ field }: { field: FieldName }) {
  const { paste, fields: labels } = words.value;
  const column = sheet.value?.columns[field];
  const isOpen = sheet.value?.unsure.includes(field) === true;
  const none =
    field === "name"
      ? []
      : [["-1", valuedFields.some((each) => each === field) ? paste.sameForAll : paste.noColumn] as const];
  return (
    <Select
      label={labels[field]}
      value={String(column ?? (isOpen ? "" : -1))}
      isOpen={isOpen}
      options={[...none, ...columnOptions.value]}
      onChoose={(at) => answerColumn(field, sheet.peek()?.names[Number(at)] ?? "")}
    />
  );
}

/** The columns with samples of what is in them. */
const columnOptions = computed((): (readonly [string, string])[] => {
  const { names = [], header = -1 } = sheet.value ?? {};
  const rows = table.value?.rows.slice(header + 1, header + 100) ?? [];
  return names.map((name, at) => {
    const cells = new Set(rows.map((row) => row[at]?.trim().slice(0, 20) ?? "").filter((cell) => cell !== ""));
    const samples = [...cells].slice(0, sampleCount).join(", ");
    return [String(at), samples === "" ? name : words.value.paste.column(name, samples)];
  });
});

function Nameless() {
  const { paste } = words.value;
  const { nameless = 0, names = [], columns } = sheet.value ?? {};
  if (nameless === 0) return null;
  const chosen = names.findIndex((name) => name === answers.value.withoutName);
  return (
    <Select
      label={paste.nameless(formatNumber(nameless))}
      value={String(chosen)}
      options={[["-1", paste.leaveOut], ...columnOptions.value.filter((_, at) => at !== columns?.name)]}
      onChoose={(at) => answerNameless(names[Number(at)])}
    />
  );
}

/** What the values of a column mean, those without a meaning first. */
function Values({ field }: { field: ValuedField }) {
  const { paste, fields: labels } = words.value;
  const read = sheet.value;
  if (!read) return null;
  const hasColumn = read.columns[field] !== undefined;
  // Numbers of categories, and the words that the board itself uses, need no explanation.
  const isPlain = ({ value, means }: Meaning): boolean =>
    hasColumn && (value === means || (value !== "" && means !== undefined && value === textOf(field, means)));
  const all = read.meanings[field].filter(
    (meaning) => !isPlain(meaning) && !(field === "status" && hasColumn && meaning.value === ""),
  );
  const decided = answers.value.values[field] ?? {};
  if (all.length === 0 || (!hasColumn && read.unsure.includes(field))) return null;
  // What the user has to decide comes first, and stays there.
  const listed = [...all.filter(({ isKnown }) => !isKnown), ...all.filter(({ isKnown }) => isKnown)].slice(
    0,
    listedValues,
  );
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
      {listed.map(({ value, rows, means }) => (
        <Value
          key={value}
          field={field}
          label={
            <>
              {value === "" ? hasColumn ? paste.noValue : paste.allRows : <bdi>{value}</bdi>}{" "}
              <span class="meta">{paste.rowCount(formatNumber(rows))}</span>
            </>
          }
          means={means}
          onChoose={(chosen) => answerValue(field, value, chosen)}
        />
      ))}
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
    const toMeaning = (text: string): string | undefined =>
      text.trim() === paste.leaveOut ? skip : /^-?\d+$/.test(text.trim()) ? text.trim() : undefined;
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
    means === undefined || means === skip || choices.some((choice) => choice === means) ? choices : [...choices, means];
  return (
    <Select
      label={label}
      value={means ?? ""}
      isOpen={means === undefined}
      options={[...known.map((choice) => [choice, textOf(field, choice)] as const), [skip, paste.leaveOut]]}
      onChoose={onChoose}
    />
  );
}

function textOf(field: ValuedField, means: string): string {
  const statuses: Readonly<Record<string, string>> = words.value.statuses;
  return field === "status" ? (statuses[means] ?? means) : categoryLabel(means);
}
