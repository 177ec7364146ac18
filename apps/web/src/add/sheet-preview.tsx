import { petStatuses, type PetStatus } from "@petstore/client";
import { fieldNames, type FieldName } from "@petstore/contract/fields";
import {
  groupProblems,
  reasonOf,
  storedFields,
  toRejectedHeader,
  toRejectedRow,
  type Sheet,
  type SheetChange,
  type SheetProblem,
} from "@petstore/sheet";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { save } from "../catalogue/csv.ts";
import { formatNumber, words } from "../language/language.ts";
import { StatusPill } from "../list/pet-row.tsx";
import { Checkbox } from "../parts/checkbox.tsx";
import { Spoken } from "../parts/spoken.tsx";
import { categoryLabel, categoryText } from "../pets/categories.ts";
import { problemOf, problemText, type Pet } from "../pets/rules.ts";
import { OtherTables } from "./choices.tsx";
import { maxRows, nextSteps, plan, type Plan, type Step } from "./plan.ts";
import { sheet, table, wanted, type Extra } from "./sheet.ts";

/** How many rows, changes and problems are drawn. */
const drawnRows = 50;
const drawnChanges = 20;
const drawnProblems = 20;

/** What will happen: counts, what needs a decision, mistakes, and a table of the first animals. */
export function SheetPreview() {
  const { paste } = words.value;
  const steps = plan.value;
  const read = sheet.value;
  const isShown = steps !== undefined && read !== undefined && !read.isHeaderUnsure;
  const texts = isShown ? countsOf(steps, read.leftOut) : [];
  const sentence = isShown ? texts.join(" · ") || paste.nothing : "";
  return (
    <div class="fields">
      <Spoken text={sentence} class="sheet-counts" />
      {isShown && <Preview of={steps} read={read} />}
    </div>
  );
}

/** How many rows do what. */
function countsOf({ steps, equal }: Plan, leftOut: number): string[] {
  const { paste } = words.value;
  const counts: [text: (count: string) => string, count: number][] = [
    [paste.fresh, steps.filter(({ work }) => "add" in work).length],
    [paste.changed, steps.filter(({ work }) => !("add" in work)).length],
    [paste.equal, equal],
    [paste.leftOut, leftOut],
  ];
  return counts.filter(([, count]) => count > 0).map(([text, count]) => text(formatNumber(count)));
}

function Preview({ of: steps, read }: { of: Plan; read: Sheet }) {
  const { paste } = words.value;
  return (
    <>
      <OtherTables />
      {storedFields.map(
        (field) =>
          read.stored[field] > 0 && (
            <p key={field} class="field-hint">
              {paste.storedAs[field](formatNumber(read.stored[field]))}
            </p>
          ),
      )}
      <Choice
        extra="repeated"
        count={steps.repeated.length}
        text={paste.repeated}
        action={steps.repeated.length > maxRows ? "" : paste.addAnyway}
      />
      <Choice extra="alike" count={steps.alike.length} text={paste.alike} action={paste.addAlike}>
        <AnimalList animals={steps.alike.map(({ fields }) => fields)} />
      </Choice>
      <Choice
        extra="gone"
        count={steps.gone.length}
        text={paste.gone}
        action={paste.closeGone(formatNumber(steps.gone.length), formatNumber(steps.expected))}
        problem={steps.mayClose === "no" ? paste.noneKnown : undefined}
      >
        <AnimalList animals={steps.gone} />
      </Choice>
      <Choice
        extra="missing"
        count={steps.missing.length}
        text={paste.missing}
        action={paste.addAsNew}
      />
      <Choice
        extra="renamed"
        count={steps.renamed.length}
        text={paste.renamed}
        action={paste.changeAnyway}
      >
        <ChangeList changes={steps.renamed} />
      </Choice>
      {steps.changed.length > 0 && (
        <>
          <ChangeList changes={steps.changed} />
          <p class="field-hint">{paste.changesAdvice}</p>
        </>
      )}
      <Problems problems={read.problems} />
      <Steps steps={nextSteps.value} />
    </>
  );
}

interface ChoiceProps {
  extra: Extra;
  count: number;
  text: (count: string) => string;
  /** Empty if it cannot be wanted. */
  action: string;
  /** Why it cannot be wanted. */
  problem?: string | undefined;
  children?: ComponentChildren;
}

/** Rows that do nothing unless the user wants it. */
function Choice({ extra, count, text, action, problem, children }: ChoiceProps) {
  const id = useId();
  if (count === 0) return null;
  function choose(isChosen: boolean): void {
    // Rows that are other animals leave more that are gone: whoever wanted to close others is asked
    // again.
    const rest = [...wanted.peek()].filter(
      (each) => each !== extra && !(extra === "alike" && each === "gone"),
    );
    wanted.value = new Set(isChosen ? [...rest, extra] : rest);
  }
  return (
    <div class="sheet-extra">
      <p>{text(formatNumber(count))}</p>
      {children}
      {action !== "" && (
        <Checkbox
          label={action}
          isChecked={problem === undefined && wanted.value.has(extra)}
          isDisabled={problem !== undefined}
          describedBy={problem && id}
          onChange={choose}
        />
      )}
      {problem !== undefined && (
        <p id={id} class="field-problem">
          {problem}
        </p>
      )}
    </div>
  );
}

/** The names of animals, with their numbers. */
function AnimalList({ animals }: { animals: readonly Pick<Pet, "name" | "reference">[] }) {
  const more = animals.length - drawnChanges;
  return (
    <ul class="sheet-changes">
      {animals.slice(0, drawnChanges).map(({ name, reference }, at) => (
        <li key={at}>
          <bdi>{name}</bdi>: <bdi>{reference || words.value.paste.noValue}</bdi>
        </li>
      ))}
      {more > 0 && <li>{words.value.paste.notDrawn(formatNumber(more))}</li>}
    </ul>
  );
}

function ChangeList({ changes }: { changes: readonly SheetChange[] }) {
  const { paste } = words.value;
  const more = changes.length - drawnChanges;
  return (
    <ul class="sheet-changes">
      {changes.slice(0, drawnChanges).map(({ row, before, changes: changed }) => (
        <li key={row}>
          <bdi>{before.name}</bdi>
          {": "}
          {fieldNames
            .filter((name) => changed[name] !== undefined)
            .map(
              (name) =>
                `${shownText(name, before[name])} → ${shownText(name, changed[name] ?? "")}`,
            )
            .join(", ")}
        </li>
      ))}
      {more > 0 && <li>{paste.notDrawn(formatNumber(more))}</li>}
    </ul>
  );
}

function shownText(name: FieldName, value: string): string {
  if (name === "categoryId") return categoryText(value);
  if (value === "") return words.value.paste.noValue;
  return petStatuses.includes(value as PetStatus) && name === "status"
    ? words.value.statuses[value as PetStatus]
    : value;
}

/** What is wrong with a cell, in words. */
function textOf(problem: Omit<SheetProblem, "row">): string {
  const { paste } = words.value;
  const { field, cell } = problem;
  const reason = reasonOf(problem);
  if (reason !== "invalid" && reason !== "unknown") return paste.mistakes[reason];
  return field === "id"
    ? paste.badId
    : problemText(field, { [field]: problemOf(field, cell.trim()) }, cell);
}

function Problems({ problems }: { problems: readonly SheetProblem[] }) {
  const { paste } = words.value;
  if (problems.length === 0) return null;
  const groups = groupProblems(problems);
  const more = groups.length - drawnProblems;
  return (
    <div class="sheet-problems">
      <p class="field-problem">{paste.rejected(formatNumber(problems.length))}</p>
      <ul>
        {groups.slice(0, drawnProblems).map(({ rows, ...problem }) => (
          <li key={`${reasonOf(problem)} ${problem.field} ${problem.cell}`}>
            {paste.inRows(formatNumber(rows.length), formatNumber(rows[0] ?? 0))}{" "}
            {problem.cell.trim() !== "" && <bdi>“{problem.cell}”: </bdi>}
            {textOf(problem)}
          </li>
        ))}
        {more > 0 && <li>{paste.notDrawn(formatNumber(more))}</li>}
      </ul>
      <button type="button" onClick={() => save(paste.rejectedFile, toRejected(problems))}>
        {paste.saveRejected}
      </button>
    </div>
  );
}

/** The rejected rows as they are, with the reason in a last column. */
function toRejected(problems: readonly SheetProblem[]): string {
  const [from, read] = [table.peek(), sheet.peek()];
  if (!from || !read) return "";
  const rows = problems.map((problem) => toRejectedRow(from, read, problem.row, textOf(problem)));
  return toRejectedHeader(from, read) + rows.join("");
}

/** The animals that will be sent, as they will be. */
function Steps({ steps }: { steps: readonly Step[] }) {
  const { paste, fields } = words.value;
  if (steps.length === 0) return null;
  const columns = fieldNames.filter((name) => steps.some((step) => step.fields[name] !== ""));
  const more = steps.length - drawnRows;
  return (
    <div class="preview" role="region" aria-label={paste.preview} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{paste.row}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {fields[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.slice(0, drawnRows).map(({ row, fields: animal }, at) => (
            <tr key={at}>
              <th scope="row">{row}</th>
              {columns.map((column) => (
                <td key={column}>{cellOf(column, animal[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="meta">{paste.notDrawn(formatNumber(more))}</p>}
    </div>
  );
}

function cellOf(name: FieldName, value: string): ComponentChildren {
  if (name === "status") return <StatusPill status={value as PetStatus} />;
  if (name === "categoryId") return <bdi class="preview-category">{categoryLabel(value)}</bdi>;
  return <bdi class={name === "name" ? "preview-name" : undefined}>{value}</bdi>;
}
