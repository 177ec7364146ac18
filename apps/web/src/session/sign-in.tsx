import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { listId } from "../browser/address.ts";
import { settings } from "../browser/board-settings.ts";
import { words } from "../language/language.ts";
import { toProblem, type Problem } from "../language/problem.ts";
import { Checkbox } from "../parts/checkbox.tsx";
import { Icon } from "../parts/icons.tsx";
import { LanguageChoice } from "../parts/language-choice.tsx";
import { LoadAgain } from "../parts/load-again.tsx";
import { Greeters, Logo } from "../parts/pictures.tsx";
import { RequestId } from "../parts/request-id.tsx";
import { Spoken } from "../parts/spoken.tsx";
import { signIn } from "./session.ts";

const shown = { type: "text" } as const;
const hidden = { type: "password" } as const;

/** @param children what the user should know about earlier sessions */
export function SignIn({ children }: { children: ComponentChildren }) {
  const problem = useSignal<Problem | undefined>(undefined);
  const invalid = useSignal<string | undefined>(undefined);
  const isChecking = useSignal(false);
  const isRemembered = useSignal(false);
  const isShown = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    // Keyboard users continue there on the next page.
    return () =>
      requestAnimationFrame(() => document.getElementById(listId)?.focus({ preventScroll: true }));
  }, []);
  const { signIn: text, problems, actions } = words.value;

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isChecking.value) return;
    const apiKey = field.current?.value.trim() ?? "";
    invalid.value = apiKey === "" ? text.keyMissing : undefined;
    problem.value = undefined;
    if (invalid.value === undefined) {
      isChecking.value = true;
      try {
        await signIn(apiKey, isRemembered.value);
        return;
      } catch (error) {
        const found = toProblem(error);
        if (found.kind === "rejected" && found.code === undefined) invalid.value = text.keyForm;
        else
          problem.value = found.kind === "keyRejected" ? { ...found, kind: "keyUnknown" } : found;
      } finally {
        isChecking.value = false;
      }
    }
    field.current?.focus();
  }

  const message = problem.value && problems[problem.value.kind];
  const isLater = problem.value?.isTemporary === true;
  const advice = isLater && problem.value?.kind !== "intercepted" ? text.later : undefined;
  const reason =
    invalid.value ?? (message ? words.value.problem(message.what, advice ?? message.todo) : "");
  const isInvalid = reason !== "" && !isLater;
  return (
    <main class="sign-in">
      <Greeters />
      <form class="fields" onSubmit={submit} noValidate>
        <p class="brand">
          <Logo />
          <bdi>{settings.name}</bdi>
        </p>
        <h1>{text.title}</h1>
        <p>{text.lead}</p>
        {children}
        <div class="field">
          <label for="api-key">{text.key}</label>
          <span class="input-group">
            <input
              ref={field}
              id="api-key"
              {...(isShown.value ? shown : hidden)}
              class="code-text"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              aria-describedby="key-advice key-problem"
              aria-invalid={isInvalid}
            />
            <button
              type="button"
              class="quiet icon-only"
              aria-pressed={isShown.value}
              aria-label={text.showKey}
              onClick={() => (isShown.value = !isShown.value)}
            >
              <Icon name={isShown.value ? "hide" : "show"} />
            </button>
          </span>
          <p id="key-advice" class="field-hint" hidden={isInvalid || isLater}>
            {text.keyAdvice}
          </p>
          <div id="key-problem" class="field-problem">
            <Spoken text={reason} of={problem.value} isUrgent />
            {problem.value && <RequestId of={problem.value} />}
          </div>
        </div>
        <Checkbox
          label={text.remember}
          isChecked={isRemembered.value}
          describedBy="remember-warning"
          onChange={(isChecked) => (isRemembered.value = isChecked)}
        />
        <p id="remember-warning" class={isRemembered.value ? "notice" : "field-hint"}>
          {text.rememberWarning}
        </p>
        <button type="submit" class="primary" aria-disabled={isChecking.value}>
          {isChecking.value ? text.checking : actions.signIn}
        </button>
        {problem.value && <LoadAgain of={problem.value} />}
      </form>
      <LanguageChoice />
    </main>
  );
}
