import { Argument, InvalidArgumentError, Option } from "commander";
import leven from "leven";

export function choice(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser(oneOf(choices));
}

export function choiceArgument(name: string, description: string, choices: readonly string[]): Argument {
  return new Argument(name, description).choices(choices).argParser(oneOf(choices));
}

function oneOf(choices: readonly string[]): (text: string) => string {
  return (text) => {
    if (choices.includes(text)) return text;
    throw new InvalidArgumentError(`It must be one of ${choices.join(", ")}.${suggestion(text, choices)}`);
  };
}

/** Suggests the choice closest to a mistyped word, in the parser's format; empty if none is similar. */
export function suggestion(text: string, choices: readonly string[]): string {
  const word = text.toLowerCase();
  const [nearest = ""] = choices.toSorted((left, right) => leven(word, left) - leven(word, right));
  const isAlike = leven(word, nearest) < 0.6 * Math.max(word.length, nearest.length);
  return isAlike ? `\n(Did you mean ${nearest}?)` : "";
}

export function wholeNumber(minimum: number, maximum: number, advice = ""): (text: string) => number {
  return (text) => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    const upTo = maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum}${upTo}. ${advice}`.trimEnd());
  };
}
