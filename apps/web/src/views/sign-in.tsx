import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../language.ts";
import { toProblem, type Problem } from "../problem.ts";
import { signIn } from "../session.ts";
import { Logo } from "./icons.tsx";
import { LanguageChoice } from "./language-choice.tsx";

export function SignIn() {
  const problem = useSignal<Problem | undefined>(undefined);
  const invalid = useSignal<string | undefined>(undefined);
  const isChecking = useSignal(false);
  const isRemembered = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { signIn: text, problems, requestId, product, actions } = words.value;

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
        else problem.value = found.kind === "keyRejected" ? { ...found, kind: "keyUnknown" } : found;
      } finally {
        isChecking.value = false;
      }
    }
    field.current?.focus();
  }

  const message = problem.value && problems[problem.value.kind];
  const advice = problem.value?.isTemporary === true ? text.later : message?.todo;
  return (
    <main class="sign-in">
      <form onSubmit={submit} noValidate>
        <p class="brand">
          <Logo />
          {product}
        </p>
        <h1>{text.title}</h1>
        <p class="muted">{text.lead}</p>
        <label class="field">
          <span>{text.key}</span>
          <input
            ref={field}
            type="password"
            name="api-key"
            autocomplete="off"
            spellcheck={false}
            aria-describedby="key-advice key-problem"
            aria-invalid={message !== undefined || invalid.value !== undefined}
          />
        </label>
        <p id="key-advice" class="meta">
          {text.keyAdvice}
        </p>
        <div id="key-problem" class="field-problem" role="alert">
          {invalid.value ?? (message && `${message.what}. ${advice}`)}
          {problem.value?.requestId !== undefined && (
            <p class="meta">
              {requestId} <code>{problem.value.requestId}</code>
            </p>
          )}
        </div>
        <label class="choice">
          <input
            type="checkbox"
            checked={isRemembered.value}
            aria-describedby="remember-warning"
            onChange={({ currentTarget }) => (isRemembered.value = currentTarget.checked)}
          />
          <span>{text.remember}</span>
        </label>
        <p id="remember-warning" class="meta">
          {text.rememberWarning}
        </p>
        <button type="submit" class="primary" aria-disabled={isChecking.value}>
          {isChecking.value ? text.checking : actions.signIn}
        </button>
      </form>
      <LanguageChoice />
    </main>
  );
}
