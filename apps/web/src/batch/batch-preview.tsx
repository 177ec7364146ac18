import { maxNameLength, petStatuses, type PetStatus } from "@petstore/client";
import { signal } from "@preact/signals";
import { StatusPill } from "../list/pet-row.tsx";
import { categoryNames } from "../shared/categories.ts";
import { formatNumber, words } from "../shared/language.ts";
import type { Place } from "./cells.ts";
import { needsFix, placeOfMistake, preview, repeats, type CheckedRow } from "./preview.ts";

/** How many rows to draw from the beginning, and how many more of those that need fixing. */
const drawnRows = 50;
const drawnProblems = 100;

/** Whether to show only rows with mistakes, if there are any. */
export const onlyMistakes = signal(false);

/** What the text means: a table of its first rows, and of the rows that need a fix. */
export function BatchPreview({ onSelect }: { onSelect: (place: Place) => void }) {
  const { paste, fields } = words.value;
  const { rows } = preview.value;
  if (rows.length === 0) return null;
  const mistakes = rows.filter(needsFix);
  const isFiltered = onlyMistakes.value && mistakes.length > 0;
  const first = isFiltered ? [] : rows.slice(0, drawnRows);
  const drawn = [...first, ...mistakes.filter((row) => !first.includes(row)).slice(0, drawnProblems)];
  const count = isFiltered ? mistakes.length : rows.length;
  return (
    <div class="preview" role="region" aria-label={paste.preview}>
      <table>
        <thead>
          <tr>
            <th scope="col">{paste.row}</th>
            <th scope="col">{fields.name}</th>
            <th scope="col">{fields.categoryId}</th>
            <th scope="col">{fields.status}</th>
          </tr>
        </thead>
        <tbody>
          {drawn.map((row) => (
            <PreviewRow key={row.number} row={row} onSelect={onSelect} />
          ))}
        </tbody>
      </table>
      {drawn.length < count && <p class="meta">{paste.notDrawn(formatNumber(count - drawn.length))}</p>}
    </div>
  );
}

function PreviewRow({ row, onSelect }: { row: CheckedRow; onSelect: (place: Place) => void }) {
  const { paste } = words.value;
  const { number, name, categoryId, status } = row;
  const isInvalid = needsFix(row);
  const earlier = repeats.value.get(number);
  const hasMessage = isInvalid || earlier !== undefined;
  const isStatus = petStatuses.includes(status as PetStatus);
  const id = `paste-row-${number}`;
  const props = isInvalid ? { class: "is-invalid", onClick: () => onSelect(placeOfMistake(row)) } : {};
  return (
    <>
      <tr {...props}>
        <th scope="row" class="number" aria-describedby={hasMessage ? id : undefined}>
          {number}
        </th>
        <td>
          <bdi class="preview-name">{name}</bdi>
        </td>
        <td>
          <bdi class="preview-category">{categoryNames.get(categoryId) ?? categoryId}</bdi>
        </td>
        <td>{isStatus ? <StatusPill status={status as PetStatus} /> : <bdi>{status}</bdi>}</td>
      </tr>
      {hasMessage && (
        <tr {...props} class={`preview-message ${isInvalid ? "is-invalid" : ""}`}>
          <td />
          <td colSpan={3}>
            <span id={id} class={isInvalid ? "field-problem" : "meta"}>
              {isInvalid && messagesOf(row)}
              {!isInvalid && earlier !== undefined && paste.repeats(formatNumber(number), formatNumber(earlier))}
            </span>{" "}
            {isInvalid && (
              <button type="button" class="text" aria-describedby={id}>
                {paste.showInText(formatNumber(number))}
              </button>
            )}
          </td>
        </tr>
      )}
    </>
  );
}

/** What is wrong with a row, in words. */
function messagesOf({ problems: { name, categoryId, status } }: CheckedRow): string {
  const { add, paste, statuses } = words.value;
  return [
    name && add.nameProblems(formatNumber(maxNameLength))[name],
    categoryId && add.categoryProblems[categoryId],
    status && paste.statusProblem(petStatuses.map((each) => statuses[each]).join(", ")),
  ]
    .filter(Boolean)
    .join(" ");
}
