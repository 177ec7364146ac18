import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";

// The badges of the README. They are files of ours, so that they show without the network and name no repository.

interface Manifest {
  version: string;
  license: string;
  dependencies?: Record<string, string>;
}

const client = JSON.parse(read("packages/client/package.json")) as Manifest;

/** Without bundled dependencies. */
const installedDependencies = Object.values(client.dependencies ?? {}).filter(
  (range) => !range.startsWith("workspace:"),
);

/** The limit in tests/client-package/test/figures.test.ts. */
function bytesOfClient(): number {
  const [, digits = ""] = /mostBytes = ([\d_]+);/.exec(read("tests/client-package/test/figures.test.ts")) ?? [];
  return Number(digits.replaceAll("_", ""));
}

/** The label and text of each badge, by the name of its file. */
const badges: Readonly<Record<string, readonly [subject: string, text: string]>> = {
  npm: ["npm", client.version === "0.0.0" ? "not released yet" : client.version],
  size: ["client", `${(bytesOfClient() / 1000).toFixed(1)} kB`],
  dependencies: ["dependencies", String(installedDependencies.length)],
  license: ["license", client.license],
};

/** The file of each badge with its content, and how the README describes it. */
export function drawnBadges(): { file: string; svg: string; description: string }[] {
  return Object.entries(badges).map(([name, [subject, text]]) => ({
    file: `docs/images/badges/${name}.svg`,
    svg: draw(subject, text),
    description: `${subject}: ${text}`,
  }));
}

function draw(subject: string, text: string): string {
  const [left, right] = [widthOf(subject), widthOf(text)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${subject}: ${text}">
  <clipPath id="round"><rect width="${left + right}" height="20" rx="3" /></clipPath>
  <g clip-path="url(#round)">
    <rect width="${left}" height="20" fill="#444c56" />
    <rect x="${left}" width="${right}" height="20" fill="#0f766e" />
  </g>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
    <text x="${left / 2}" y="14" textLength="${left - 12}">${subject}</text>
    <text x="${left + right / 2}" y="14" textLength="${right - 12}">${text}</text>
  </g>
</svg>
`;
}

/** Of a text in this font, about, with room beside it. `textLength` makes other fonts keep to it. */
function widthOf(text: string): number {
  const widths = Array.from(text, (character) =>
    /[ijltfrI. ]/.test(character) ? 4.2 : /[mwM]/.test(character) ? 10 : 7,
  );
  return Math.round(widths.reduce((sum, width) => sum + width, 0)) + 12;
}

if (import.meta.main) for (const { file, svg } of drawnBadges()) writeFileSync(join(root, file), svg);
