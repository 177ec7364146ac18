#!/bin/sh
# typedoc 0.28.20 with typedoc-plugin-markdown 4.14.1 loses the class of a documented error: of `@throws {TypeError} if it is empty` the
# Markdown has only the words, even with `preservedTypeAnnotationTags`, with which the HTML of TypeDoc has the class. There is no warning.
# Seen with TypeScript 6.0.3 on Node 24. Ends with 1 if that has changed.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund typedoc@0.28.20 typedoc-plugin-markdown@4.14.1 typescript@6.0.3
cat >index.ts <<'SOURCE'
/**
 * Reads a name.
 * @throws {TypeError} if it is empty
 */
export function readName(text: string): string {
  if (text === "") throw new TypeError("empty");
  return text;
}
SOURCE
echo '{"compilerOptions":{"strict":true,"module":"nodenext","types":[]},"files":["index.ts"]}' >tsconfig.json
run() { npx typedoc --logLevel Error --readme none --disableSources --preservedTypeAnnotationTags @throws "$@" index.ts; }
run --out html
run --plugin typedoc-plugin-markdown --out markdown

has() { grep -rqE "$2" "$1" && echo yes || echo no; }
seen="HTML has the class: $(has html/functions 'TypeError'); Markdown has the words: $(has markdown 'if it is empty'), the class: $(has markdown 'TypeError')"
echo "$seen"
[ "$seen" = "HTML has the class: yes; Markdown has the words: yes, the class: no" ]
