import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { formatNumber, words } from "../language/language.ts";
import { takeBack } from "../outbox/outbox.ts";
import { waiting } from "../outbox/writes.ts";
import { Spoken } from "../parts/spoken.tsx";
import { Choices } from "./choices.tsx";
import { isOver } from "./drop.ts";
import { isLoaded, maxRows, nextSteps, plan, send } from "./plan.ts";
import { SheetPreview } from "./sheet-preview.tsx";
import {
  closeSheet,
  failure,
  isChoosing,
  isDecided,
  isReading,
  openFile,
  openValue,
  opened,
  setText,
  sheet,
  table,
  text,
} from "./sheet.ts";

export { openFile };

/** The form for several animals, from a sheet. */
export function AddSeveral() {
  const { actions, paste } = words.value;
  const form = useRef<HTMLFormElement>(null);
  const steps = nextSteps.value;
  const added = steps.filter(({ work }) => "add" in work).length;
  const canSend = steps.length > 0 && isDecided.value && isLoaded.value;
  const source = opened.value?.source;
  useEffect(() => {
    // the one that opened the file is gone
    if (source) focus("[aria-invalid=true]", ".file-choice > input");
  }, [source]);

  /** Moves the focus to the first element that matches the first selector, or else the next. */
  function focus(...selectors: string[]): void {
    requestAnimationFrame(() => {
      const [first] = selectors.flatMap(
        (each) => form.current?.querySelector<HTMLElement>(each) ?? [],
      );
      first?.focus();
    });
  }

  function submit(event: Event): void {
    event.preventDefault();
    if (canSend) send();
    else if (sheet.peek() && !isDecided.peek()) isChoosing.value = true;
    focus(opened.peek() ? "[aria-invalid=true], .sheet-confirm" : "[name=rows]");
  }

  return (
    <form
      ref={form}
      class={isOver.value ? "fields is-dropping" : "fields"}
      onSubmit={submit}
      aria-label={actions.add}
      noValidate
    >
      <Source />
      <Spoken text={stateText()} class={failure.value && "field-problem"} />
      <Choices />
      <SheetPreview />
      <footer class="dialog-actions">
        {waiting.value.length > 1 && (
          <button type="button" onClick={takeBack}>
            {actions.stop}
          </button>
        )}
        {(plan.value?.steps.length ?? 0) > maxRows && (
          <span class="field-hint">{paste.tooMany(formatNumber(maxRows))}</span>
        )}
        {sheet.value && !isDecided.value && (
          <span class="sheet-open field-hint">
            {openValue.value === undefined
              ? paste.answerFirst
              : paste.chooseMeaning(shorten(openValue.value))}
          </span>
        )}
        <button type="submit" class="primary" aria-disabled={!canSend}>
          {paste.send(formatNumber(added), formatNumber(steps.length - added))}
        </button>
      </footer>
    </form>
  );
}

/** What the form waits for, or why there is no sheet. */
function stateText(): string {
  const { paste, list } = words.value;
  if (isReading.value) return paste.reading;
  if (failure.value) return paste.failures[failure.value];
  return sheet.value && !isLoaded.value ? list.loading : "";
}

/** The beginning of a value, which fits beside a button. */
function shorten(value: string): string {
  const characters = [...value];
  const most = 24;
  if (value === "") return words.value.paste.noValue;
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : value;
}

/** Where the sheet comes from: a file, or text. A file is shown by its name. */
function Source() {
  const { paste, statuses } = words.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const name = opened.value?.source?.name;
  // from the other form, where autofocus does nothing
  useLayoutEffect(() => field.current?.focus(), [name]);
  const chooser = (
    <label class="button file-choice">
      {name === undefined ? paste.chooseFile : paste.otherFile}
      <input
        type="file"
        accept=".xlsx,.csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) void openFile(file);
          currentTarget.value = ""; // so that the same file can be chosen again
        }}
      />
    </label>
  );
  if (name !== undefined)
    return (
      <p class="file-line">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span class="meta">
          {paste.rowCount(
            formatNumber((table.value?.rows.length ?? 1) - 1 - (sheet.value?.header ?? 0)),
          )}
        </span>
        {chooser}
        <button type="button" class="quiet" onClick={closeSheet}>
          {paste.noFile}
        </button>
      </p>
    );
  return (
    <>
      <p id="paste-advice">{paste.advice}</p>
      <p class="file-line">
        {chooser}
        <span class="field-hint">{paste.dropFile}</span>
      </p>
      <label class="field">
        <span>{paste.rows}</span>
        <textarea
          ref={field}
          name="rows"
          class="code-text"
          autofocus
          rows={3}
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          placeholder={paste.example([statuses.available, statuses.sold])}
          value={text.value}
          aria-describedby="paste-advice"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
    </>
  );
}
