import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { put, takeBack } from "../outbox/outbox.ts";
import { waiting } from "../outbox/writes.ts";
import { Checkbox } from "../shared/fields.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { BatchPreview, onlyMistakes } from "./batch-preview.tsx";
import type { Place } from "./cells.ts";
import { useDrop } from "./drop.ts";
import {
  giveBack,
  isTooLong,
  needsFix,
  placeOfMistake,
  preview,
  ready,
  repeats,
  setText,
  takeReady,
  text,
} from "./preview.ts";
import { readSheetFile } from "./sheet-file.ts";
import { maxRows } from "./sheet.ts";

/** Whether the last file was one of Excel's own, which has no text to read. */
const isExcelFile = signal(false);

/** The form for several animals, pasted from a spreadsheet. */
export function AddSeveral() {
  const { actions, paste, statuses } = words.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const count = ready.value.length;
  const isOver = useDrop((file) => void take(file));
  useEffect(() => field.current?.focus(), []); // from the other form, where autofocus does nothing

  function submit(event: Event): void {
    event.preventDefault();
    if (count > 0) return put(...takeReady().map((animal) => ({ add: animal })));
    const first = preview.value.rows.find(needsFix);
    if (first) select(placeOfMistake(first));
    else field.current?.focus();
  }

  /** Selects a part of the text, and scrolls to it. */
  function select({ start, end }: Place): void {
    const area = field.current;
    if (!area) return;
    area.focus();
    area.setSelectionRange(start, end);
    const lines = area.value.split("\n");
    const before = area.value.slice(0, start).split("\n");
    const longest = lines.reduce((most, { length }) => Math.max(most, length), 1);
    area.scrollTop = ((before.length - 1) / lines.length) * area.scrollHeight - area.clientHeight / 2;
    area.scrollLeft = ((before.at(-1) ?? "").length / longest) * area.scrollWidth - area.clientWidth / 2;
  }

  async function take(file: Blob | undefined): Promise<void> {
    if (file) {
      const content = await readSheetFile(file);
      isExcelFile.value = content === undefined;
      if (content !== undefined) setText(content);
    }
    field.current?.focus();
  }

  return (
    <form class={isOver.value ? "fields is-dropping" : "fields"} onSubmit={submit} noValidate>
      <p id="paste-advice">{paste.advice}</p>
      <p id="paste-advice-more" class="field-hint">
        {paste.adviceMore}
      </p>
      <label class="field">
        <span>{paste.rows}</span>
        <textarea
          ref={field}
          name="rows"
          class="code-text"
          autofocus
          rows={shownLines(text.value)}
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          placeholder={paste.example([statuses.available, statuses.sold])}
          value={text.value}
          aria-describedby="paste-advice paste-advice-more paste-count paste-notes"
          onInput={({ currentTarget }) => {
            isExcelFile.value = false;
            setText(currentTarget.value);
          }}
        />
      </label>
      <p class="file-line">
        <label class="button file-choice">
          {paste.chooseFile}
          <input
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
            onChange={({ currentTarget }) => {
              void take(currentTarget.files?.[0]);
              currentTarget.value = ""; // so that the same file can be chosen again
            }}
          />
        </label>
        <span class="field-hint">{paste.dropFile}</span>
      </p>
      <Notes />
      <Count />
      <BatchPreview onSelect={select} />
      <footer class="dialog-actions">
        {waiting.value.length > 1 && (
          <button type="button" onClick={() => giveBack(takeBack())}>
            {actions.stop}
          </button>
        )}
        <button type="submit" class="primary" aria-disabled={count === 0}>
          {paste.add(formatNumber(count))}
        </button>
      </footer>
    </form>
  );
}

/** The height of the text field, 3 to 7 lines, for browsers that do not fit it to its content. */
function shownLines(content: string): number {
  return Math.max(3, content.split("\n", 7).length);
}

/** How many rows are ready. Updates once the user stops typing, so that screen readers do not chatter. */
function Count() {
  const { paste } = words.value;
  const rowCount = preview.value.rows.length;
  const readyCount = ready.value.length;
  const hasMistakes = rowCount > readyCount;
  return (
    <div class="paste-count">
      <p id="paste-count" role="status">
        {rowCount === 0 ? paste.empty : paste.ready(formatNumber(readyCount))}
        {hasMistakes && (
          <>
            {", "}
            <button type="button" class="text" onClick={showFirstMistake}>
              {paste.needFix(formatNumber(rowCount - readyCount))}
            </button>
          </>
        )}
      </p>
      {hasMistakes && (
        <Checkbox
          label={paste.onlyMistakes}
          isChecked={onlyMistakes.value}
          onChange={(isChecked) => (onlyMistakes.value = isChecked)}
        />
      )}
    </div>
  );
}

function showFirstMistake(): void {
  const fix = document.querySelector<HTMLElement>(".preview .is-invalid button");
  fix?.closest("tr")?.scrollIntoView({ block: "center" });
  fix?.focus({ preventScroll: true });
}

/** What may surprise the user: rows and columns that are left out, and rows that repeat others. */
function Notes() {
  const { paste, fields } = words.value;
  const { missing, ignored, hasMore } = preview.value;
  const [column] = missing;
  const repeat = [...repeats.value][0]?.map(formatNumber) as [string, string] | undefined;
  return (
    <div id="paste-notes" class="field-hint" role="status">
      {isExcelFile.value && <p class="field-problem">{paste.excelFile}</p>}
      {column && <p class="field-problem">{paste.missing(fields[column])}</p>}
      {isTooLong.value && <p>{paste.tooLong}</p>}
      {hasMore && <p>{paste.tooMany(formatNumber(maxRows))}</p>}
      {ignored.length > 0 && (
        <p>
          <bdi>{paste.ignored(ignored.join(", "))}</bdi>
        </p>
      )}
      {repeat && (
        <p>
          {paste.repeats(...repeat)} {paste.repeated(formatNumber(repeats.value.size))}
        </p>
      )}
    </div>
  );
}
