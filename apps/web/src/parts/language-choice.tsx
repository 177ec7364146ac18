import { chooseLanguage, languages, words } from "../language/language.ts";

export function LanguageChoice() {
  const { account, language } = words.value;
  return (
    <label class="choice">
      <span>{account.language}</span>
      <select
        value={language.tag}
        onChange={({ currentTarget }) => chooseLanguage(currentTarget.value)}
      >
        {languages.map(({ language: { tag, name } }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
