import { brotliCompressSync } from "node:zlib";

/** A paw, readable on light and dark tabs. */
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#0f8a6a">
  <ellipse cx="6" cy="14" rx="3.2" ry="4.2"/>
  <ellipse cx="12" cy="7" rx="3.2" ry="4.4"/>
  <ellipse cx="20" cy="7" rx="3.2" ry="4.4"/>
  <ellipse cx="26" cy="14" rx="3.2" ry="4.2"/>
  <path d="M16 14c-5 0-9 6-9 10 0 3 2 4 4.5 4 2 0 3-1 4.5-1s2.5 1 4.5 1c2.5 0 4.5-1 4.5-4 0-4-4-10-9-10z"/>
</svg>
`;

export function compressIcon(): Buffer {
  return brotliCompressSync(svg);
}
