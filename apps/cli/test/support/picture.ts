import type { Screen } from "./terminal-screen.ts";

/** The colors of the terminal, its edge and its text, and those that the program prints. */
const themes = {
  light: {
    back: "#ffffff",
    edge: "#d1d9e0",
    text: "#1f2328",
    dim: "#59636e",
    green: "#1a7f37",
    yellow: "#7d4e00",
    red: "#c21c2c",
  },
  dark: {
    back: "#0d1117",
    edge: "#3d444d",
    text: "#f0f6fc",
    dim: "#9198a1",
    green: "#3fb950",
    yellow: "#d29922",
    red: "#ff7b72",
  },
} as const;

export type Theme = keyof typeof themes;
type Color = keyof (typeof themes)[Theme];

/** Text in one style, at a column. */
interface Run {
  column: number;
  text: string;
  color: Color;
  isBold: boolean;
}

/** A line of the terminal. Each piece has its own place, so that columns are straight in every font. */
export type Line = Run[];

export function typed(command: string): Line {
  const prompt = { column: 0, text: "$", color: "dim", isBold: false } as const;
  return [prompt, { column: 2, text: command, color: "text", isBold: true }];
}

/** The lines of a screen, split where the style changes, and at gaps, such as those between the columns of a table. */
export function linesOf(screen: Screen): Line[] {
  return screen.screen().map((text, row) => {
    const runs: Line = [];
    for (const { 0: words, index } of text.matchAll(/\S+(?: \S+)*/g)) {
      for (let column = index; column < index + words.length; column++) {
        const { isBold, isDim, foreground = "text" } = screen.style(row, column);
        const color = isDim ? "dim" : (foreground as Color);
        const last = runs.at(-1);
        const isSame = last?.color === color && last.isBold === isBold;
        if (column > index && last !== undefined && isSame) last.text += text.charAt(column);
        else if (text.charAt(column) !== " ") runs.push({ column, text: text.charAt(column), color, isBold });
      }
    }
    return runs;
  });
}

const [fontSize, columnWidth, lineHeight, margin] = [15, 9, 20, 16];
const fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";

/** An SVG of a terminal with so many columns. */
export function drawTerminal(lines: readonly Line[], columns: number, theme: Theme): string {
  const colors = themes[theme];
  const [width, height] = [columns * columnWidth + 2 * margin, lines.length * lineHeight + 2 * margin];
  const draw = ({ column, text, color, isBold }: Run): string => {
    const style = ` fill="${colors[color]}"${isBold ? ' font-weight="600"' : ""}`;
    const escaped = text.trimEnd().replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    return `<tspan x="${margin + column * columnWidth}"${style}>${escaped}</tspan>`;
  };
  const rows = lines.map(
    (runs, row) => `<text y="${margin + row * lineHeight + fontSize}">${runs.map(draw).join("")}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${fonts}" font-size="${fontSize}">`,
    `<rect x="1" y="1" width="${width - 2}" height="${height - 2}" rx="8" fill="${colors.back}" stroke="${colors.edge}"/>`,
    ...rows,
    "</svg>\n",
  ].join("\n");
}
