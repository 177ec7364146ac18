import { petStatuses, type PetStatus } from "@petstore/client";
import { fieldNames, type FieldName } from "@petstore/contract/fields";
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { StatusPill } from "../list/pet-row.tsx";
import { categoryNames } from "../shared/categories.ts";
import { formatNumber, words } from "../shared/language.ts";
import { isOptional, problemText } from "../shared/rules.ts";
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
  const columns = fieldNames.filter((name) => !isOptional(name) || rows.some((row) => row[name] !== ""));
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
            {columns.map((column) => (
              <th key={column} scope="col">
                {fields[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map((row) => (
            <PreviewRow key={row.number} row={row} columns={columns} onSelect={onSelect} />
          ))}
        </tbody>
      </table>
      {drawn.length < count && <p class="meta">{paste.notDrawn(formatNumber(count - drawn.length))}</p>}
    </div>
  );
}

interface PreviewRowProps {
  row: CheckedRow;
  columns: readonly FieldName[];
  onSelect: (place: Place) => void;
}

function PreviewRow({ row, columns, onSelect }: PreviewRowProps) {
  const { paste } = words.value;
  const { number, name, categoryId, status } = row;
  const isInvalid = needsFix(row);
  const earlier = repeats.value.get(number);
  const hasMessage = isInvalid || earlier !== undefined;
  const shown: Partial<Record<FieldName, ComponentChildren>> = {
    name: <bdi class="preview-name">{name}</bdi>,
    categoryId: <bdi class="preview-category">{categoryNames.get(categoryId) ?? categoryId}</bdi>,
    status: petStatuses.includes(status as PetStatus) && <StatusPill status={status as PetStatus} />,
  };
  const id = `paste-row-${number}`;
  const props = isInvalid ? { class: "is-invalid", onClick: () => onSelect(placeOfMistake(row)) } : {};
  return (
    <>
      <tr {...props}>
        <th scope="row" class="number" aria-describedby={hasMessage ? id : undefined}>
          {number}
        </th>
        {columns.map((column) => (
          <td key={column}>{shown[column] || <bdi>{row[column]}</bdi>}</td>
        ))}
      </tr>
      {hasMessage && (
        <tr {...props} class={`preview-message ${isInvalid ? "is-invalid" : ""}`}>
          <td />
          <td colSpan={columns.length}>
            <span id={id} class={isInvalid ? "field-problem" : "meta"}>
              {isInvalid &&
                fieldNames
                  .map((field) => problemText(field, row.problems))
                  .filter(Boolean)
                  .join(" ")}
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
