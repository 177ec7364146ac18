/** Pictures beside a text, so that screen readers skip them. */
const icons = {
  plus: "M8 3v10M3 8h10",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  check: "m3 8.5 3.2 3L13 4.5",
  close: "m4 4 8 8m0-8-8 8",
  menu: "M3 4.5h10M3 8h10M3 11.5h10",
  refresh: "M13 8a5 5 0 1 1-1.5-3.5M13 2.5v3h-3",
  down: "M8 3v10m-4-4 4 4 4-4",
  link: "M7 9a2.5 2.5 0 0 0 3.5 0l2-2A2.5 2.5 0 0 0 9 3.5L8 4.5M9 7a2.5 2.5 0 0 0-3.5 0l-2 2A2.5 2.5 0 0 0 7 12.5l1-1",
} as const;

export function Icon({ name }: { name: keyof typeof icons }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <ellipse cx="6" cy="14" rx="3.2" ry="4.2" />
      <ellipse cx="12" cy="7" rx="3.2" ry="4.4" />
      <ellipse cx="20" cy="7" rx="3.2" ry="4.4" />
      <ellipse cx="26" cy="14" rx="3.2" ry="4.2" />
      <path d="M16 14c-5 0-9 6-9 10 0 3 2 4 4.5 4 2 0 3-1 4.5-1s2.5 1 4.5 1c2.5 0 4.5-1 4.5-4 0-4-4-10-9-10z" />
    </svg>
  );
}
