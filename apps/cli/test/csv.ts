/** Reads CSV as RFC 4180 describes it, with the line ends of Unix or of the standard. Knows nothing of how ours is written. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] === '"') cell += text[++index];
      else isQuoted = false;
    } else if (character === '"') {
      if (cell !== "") throw new SyntaxError(`A quote within a bare cell at ${index}`);
      isQuoted = true;
    } else if (character === ",") {
      row.push(cell);
      cell = "";
    } else if (character === "\n" || (character === "\r" && text[index + 1] === "\n")) {
      if (character === "\r") index++;
      rows.push([...row, cell]);
      row = [];
      cell = "";
    } else if (character === "\r") {
      throw new SyntaxError(`A bare carriage return at ${index}`);
    } else {
      cell += character;
    }
  }
  if (isQuoted || cell !== "" || row.length > 0) throw new SyntaxError("The last row does not end");
  return rows;
}

/** Text as it was before an apostrophe kept it from being a formula. */
export function withoutApostrophe(cell: string): string {
  return cell.replace(/^'/, "");
}
