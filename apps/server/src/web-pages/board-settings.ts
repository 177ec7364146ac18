import { boardSettingsName, type BoardSettings } from "@petstore/contract/board";

/** In code points. */
const maxNameLength = 50;

/** Other invisible characters are fine: several scripts join letters with them. */
export function isBoardName(text: string): boolean {
  return text.trim() !== "" && [...text].length <= maxNameLength && !/\p{Cc}/u.test(text);
}

/**
 * Puts the settings into the page as data, because its policy forbids inline code. The title is for
 * browsers that run no code.
 */
export function withSettings(page: string, settings: BoardSettings): string {
  const meta = `<meta name="${boardSettingsName}" content="${escape(JSON.stringify(settings))}" />`;
  return page
    .replace(/(?<=<title>)[^<]*/, () => escape(settings.name))
    .replace("</head>", () => `  ${meta}\n  </head>`);
}

function escape(text: string): string {
  return text.replaceAll(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
