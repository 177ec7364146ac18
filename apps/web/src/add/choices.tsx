import { fieldNames, type FieldName } from "@petstore/contract/fields";
import {
  firstRowChoices,
  hiddenRowsChoices,
  isBlank,
  nonAsciiCells,
  repeatedChoices,
  valuedFields,
  type Encoding,
  type Table,
} from "@petstore/sheet";
import { computed } from "@preact/signals";
import { useId } from "preact/hooks";
import { formatNumber, words } from "../language/language.ts";
import { encodingOptions } from "./encodings.ts";
import { Select } from "./select.tsx";
import {
  answerColumn,
  answerFirstRow,
  answerHiddenRows,
  answerNameless,
  answerPrefix,
  answerRepeated,
  answers,
  chooseEncoding,
  chooseTable,
  confirmGuesses,
  isChoosing,
  isHeaderCertain,
  isUnconfirmed,
  opened,
  sheet,
  table,
  tableIndex,
} from "./sheet.ts";
import { Values } from "./values.tsx";

const sampleCount = 3;

/**
 * What the sheet means, as far as the user can decide it: the encoding, the columns, the values.
 */
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
        <Tables />
        <EncodingChoice />
        <FirstRow />
        <HiddenRows />
        {!read.isHeaderUnsure && ( // the columns have no names yet
          <div class="sheet-columns">
            {fieldNames.map((field) => (
              <Column key={field} field={field} />
            ))}
          </div>
        )}
        <Nameless />
        <Repeated />
        <Prefix />
        {isUnconfirmed.value && (
          <button type="button" class="sheet-confirm" onClick={confirm}>
            {paste.confirm}
          </button>
        )}
        {!read.isHeaderUnsure && valuedFields.map((field) => <Values key={field} field={field} />)}
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

/**
 * The sheets of a workbook, with the numbers of their rows: the visible ones, and those that it
 * hides.
 */
const tableTexts = computed((): string[] => {
  const { paste } = words.value;
  const { tables = [], hidden = [] } = opened.value ?? {};
  const countOf = ({ rows }: Table): string =>
    paste.rowCount(formatNumber(rows.filter((row) => !isBlank(row)).length));
  return [
    ...tables.map((each) => paste.column(each.name ?? "", countOf(each))),
    ...hidden.map(({ name, rows }) => paste.hiddenTable(name, paste.rowCount(formatNumber(rows)))),
  ];
});

function Tables() {
  if (tableTexts.value.length < 2) return null;
  return (
    <Select
      label={words.value.paste.table}
      value={String(tableIndex.value)}
      options={tableTexts.value.map((text, at) => [String(at), text])}
      onChoose={(at) => void chooseTable(Number(at))}
    />
  );
}

/** Names the sheets that are not used, which might have the animals. */
export function OtherTables() {
  const others = tableTexts.value.filter((_, at) => at !== tableIndex.value);
  if (others.length === 0) return null;
  return (
    <p class="field-hint">
      <bdi>{words.value.paste.otherTables(others.join(", "))}</bdi>
    </p>
  );
}

/**
 * Whether the first row has the names of the columns. Nobody has to look at it if it certainly has,
 * or is a title above them.
 */
function FirstRow() {
  const { paste } = words.value;
  const { header = -1, above = 0, isHeaderUnsure = false } = sheet.value ?? {};
  const first = table.value?.rows.find((row) => !isBlank(row));
  if (isHeaderCertain.value || above > 0 || first === undefined) return null;
  const cells = first.map((cell) => cell.trim()).filter((cell) => cell !== "");
  return (
    <Select
      label={<bdi>{paste.firstRow(cells.slice(0, sampleCount).join(", "))}</bdi>}
      value={isHeaderUnsure ? "" : header < 0 ? "animal" : "names"}
      isOpen={isHeaderUnsure}
      options={firstRowChoices.map((choice) => [choice, paste.firstRowChoices[choice]])}
      onChoose={(choice) => answerFirstRow(choice as keyof typeof paste.firstRowChoices)}
    />
  );
}

/** Whether rows count that the workbook does not show. */
function HiddenRows() {
  const { paste } = words.value;
  const { hiddenRows = 0 } = sheet.value ?? {};
  if (hiddenRows === 0) return null;
  return (
    <Select
      label={paste.hiddenRows(formatNumber(hiddenRows))}
      value={answers.value.hiddenRows ?? ""}
      isOpen={answers.value.hiddenRows === undefined}
      options={hiddenRowsChoices.map((choice) => [choice, paste.hiddenRowsChoices[choice]])}
      onChoose={(choice) => answerHiddenRows(choice as keyof typeof paste.hiddenRowsChoices)}
    />
  );
}

/**
 * The encoding, if the bytes do not decide it. The few that fit come first, and show what they make
 * of the names.
 */
function EncodingChoice() {
  const { paste } = words.value;
  const { source, encoding, isUnsure = false, tables } = opened.value ?? {};
  if (!source?.guessed || !tables) return null;
  const { candidates, oddLine } = source.guessed;
  const names = nonAsciiCells(tables[0], sampleCount).join(", ");
  return (
    <>
      {oddLine !== undefined && <p class="field-problem">{paste.oddLine(formatNumber(oddLine))}</p>}
      <Select
        label={encoding === undefined ? paste.openEncoding : `${paste.encoding} ${names}`}
        value={encoding ?? ""}
        isOpen={isUnsure}
        options={encodingOptions(oddLine === undefined ? candidates : [])}
        onChoose={(chosen) => void chooseEncoding(chosen as Encoding)}
      />
    </>
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
            <span key={field}>
              <span class="sheet-column">
                {labels[field]}: <bdi>{names[column]}</bdi>
              </span>{" "}
            </span>
          )
        );
      })}
    </span>
  );
}

function Column({ field }: { field: FieldName }) {
  const { paste, fields: labels } = words.value;
  const column = sheet.value?.columns[field];
  const isOpen = sheet.value?.unsure.includes(field) === true;
  const none =
    field === "name"
      ? []
      : [
          [
            "-1",
            valuedFields.some((each) => each === field) ? paste.sameForAll : paste.noColumn,
          ] as const,
        ];
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
    const cells = new Set(
      rows.map((row) => row[at]?.trim().slice(0, 20) ?? "").filter((cell) => cell !== ""),
    );
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
      options={[
        ["-1", paste.leaveOut],
        ...columnOptions.value.filter((_, at) => at !== columns?.name),
      ]}
      onChoose={(at) => answerNameless(names[Number(at)])}
    />
  );
}

/** Which of several rows of one animal counts. */
function Repeated() {
  const { paste } = words.value;
  const { repeated = 0 } = sheet.value ?? {};
  if (repeated === 0) return null;
  const texts = { first: paste.firstCounts, last: paste.lastCounts, reject: paste.leaveOut };
  return (
    <Select
      label={paste.sameNumber(formatNumber(repeated))}
      value={answers.value.repeated ?? "reject"}
      options={repeatedChoices.map((choice) => [choice, texts[choice]])}
      onChoose={(choice) => answerRepeated(choice as keyof typeof texts)}
    />
  );
}

/** What stands before each number. Exports of ours have it in the number already. */
function Prefix() {
  const { paste } = words.value;
  const id = useId();
  const { columns, isOurs } = sheet.value ?? {};
  if (isOurs === true || columns?.reference === undefined) return null;
  return (
    <div class="field sheet-choice">
      <div class="field-label">
        <label for={id}>{paste.prefix}</label>
        <span id={`${id}-advice`} class="field-count">
          {paste.prefixAdvice}
        </span>
      </div>
      <input
        id={id}
        value={answers.value.referencePrefix ?? ""}
        dir="auto"
        autocomplete="off"
        aria-describedby={`${id}-advice`}
        onInput={({ currentTarget }) => answerPrefix(currentTarget.value)}
        // it ends the prefix, and sends nothing
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
    </div>
  );
}
