/** Pictures beside a text, so that screen readers skip them. */
const icons = {
  plus: "M8 3v10M3 8h10",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  check: "m3 8.5 3.2 3L13 4.5",
  close: "m4 4 8 8m0-8-8 8",
  account: "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5a5 5 0 0 1 10 0",
  alert: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 4.8v3.7M8 11.2v.1",
  show: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  hide: "M6.5 3.700A6 6 0 0 1 8 3.5C12 3.5 14.5 8 14.5 8a12 12 0 0 1-1.800 2.300M4.200 4.700C2.5 6 1.5 8 1.5 8S4 12.5 8 12.5a6 6 0 0 0 3-.8M2.5 2.5l11 11",
  book: "M8 4.5C6.5 3.300 4.5 3 2.5 3v9.5c2 0 4 .3 5.5 1.5 1.5-1.200 3.5-1.5 5.5-1.5V3c-2 0-4 .3-5.5 1.5zM8 4.5V14",
  leave: "M6 2.5H3.5a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1H6M10.5 11l3-3-3-3M13.5 8h-7",
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
