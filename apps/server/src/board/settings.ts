import { parseInt64 } from "@petstore/contract";
import { boardSettingsName, type BoardSettings } from "@petstore/contract/board";

/** The names of categories on the board, by the digits of the category, in the operator's order. */
export type CategoryNames = ReadonlyMap<string, string>;

const maxNameLength = 50;

/** Reads `1=Dogs,2=Cats`. @returns `undefined` for any other text */
export function toCategoryNames(list: string): CategoryNames | undefined {
  const pairs = list.split(",").map(
    (pair) =>
      /^([^=]*)=(.*)$/s
        .exec(pair)
        ?.slice(1)
        .map((part) => part.trim()) ?? [],
  );
  if (!pairs.every(([id = "", name = ""]) => parseInt64(id) !== undefined && isName(name))) return undefined;
  const names = new Map(pairs as [id: string, name: string][]);
  // Users can enter a name instead of a number, so it must stand for one category.
  const different = new Set([...names.values()].map((name) => name.toLowerCase()));
  return different.size === pairs.length ? names : undefined;
}

function isName(name: string): boolean {
  const isNumber = /^[-+\d.]+$/.test(name);
  return name !== "" && [...name].length <= maxNameLength && !/\p{C}/u.test(name) && !isNumber;
}

/** Other invisible characters are fine: several scripts join letters with them. */
export function isBoardName(text: string): boolean {
  return text.trim() !== "" && [...text].length <= maxNameLength && !/\p{Cc}/u.test(text);
}

/** Puts the settings into the page as data, because its policy forbids inline code. The title is for browsers that run no code. */
export function withSettings(page: string, settings: BoardSettings): string {
  const meta = `<meta name="${boardSettingsName}" content="${escape(JSON.stringify(settings))}" />`;
  return page
    .replace(/(?<=<title>)[^<]*/, () => escape(settings.name))
    .replace("</head>", () => `  ${meta}\n  </head>`);
}

function escape(text: string): string {
  return text.replaceAll(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
