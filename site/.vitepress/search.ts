import type { DefaultTheme, MarkdownEnv } from "vitepress";

/**
 * The search of the site, in the browser. Sections with more of the words come first. A letter is
 * no word, nor are the small words of a question. Only the last word may be unfinished, and only
 * longer ones misspelt. VitePress sends the functions to the browser as text: they can use nothing
 * around them.
 */
export const search: DefaultTheme.LocalSearchOptions = {
  detailedView: true,
  miniSearch: {
    options: {
      // A name such as idempotency_key_reused is a word, and so is each of its parts. The sign
      // keeps `pet` from being the beginning of each setting.
      tokenize(text) {
        const names = text.match(/[a-z]+(?:_[a-z]+)+/gi) ?? [];
        return [...text.split(/[\n\r\p{Z}\p{P}]+/u), ...names.map((name) => `=${name}`)];
      },
      processTerm(term) {
        const small =
          "an and are as at by can do does for from how if in is it my of on or the there to what when where which why with";
        const word = term.toLowerCase();
        return /^\D?$/.test(word) || small.split(" ").includes(word) ? null : word;
      },
    },
    searchOptions: {
      weights: { fuzzy: 0.1, prefix: 0.3 },
      prefix: (term, index, terms) => term.length > 2 && index === terms.length - 1,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boost: { title: 4, text: 2, titles: 1 },
      // Many sections name a code, a setting or an option: before them come those that list all,
      // with what to do. Pages for contributors come last.
      boostDocument(id, term) {
        const [page = ""] = String(id).split("#");
        if (/\/(?:adding-|architecture|contributing|decisions|performance|changes)/.test(page))
          return 0.2;
        if (String(id).endsWith("/reference/client/#petstoreclientoptions")) return 2;
        return /_/.test(term) && /\/(?:api#errors|configuration#configuration)$/.test(String(id))
          ? 4
          : 1;
      },
    },
  },
  // Every operation has the same errors and headers: the API guide says what to do about them.
  async _render(source, env: MarkdownEnv, md) {
    const html = await md.renderAsync(source, env);
    return /\/http\/[a-z]+[A-Z]/.test(env.relativePath)
      ? html.replace(/<h2 id="errors"[^]*/, "")
      : html;
  },
};
