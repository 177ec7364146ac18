import { show, view } from "../shared/address.ts";
import { moveByArrow } from "../shared/arrows.ts";
import { categoryLabel } from "../shared/categories.ts";
import { Category } from "../shared/category.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { Link } from "../shared/link.tsx";
import { categoryCounts } from "./shown.ts";

/** How many categories have a chip. The others are in a menu. */
const chips = 6;

/** The categories of the tab with the number of their animals: a chip shows only one of them, or all again. */
export function Categories() {
  const { list: text } = words.value;
  const { category } = view.value;
  const counts = categoryCounts.value;
  const chosen = counts.find(([id]) => id === category) ?? [category, 0];
  const first = counts.slice(0, chips);
  const isFar = category !== undefined && !first.some(([id]) => id === category);
  const shown = isFar ? [chosen as [string, number], ...first.slice(0, -1)] : first;
  const others = counts.filter(([id]) => !shown.some(([each]) => each === id));
  const stop = category ?? shown[0]?.[0];
  if (stop === undefined) return null;
  return (
    <nav class="chips" aria-label={text.categories} onKeyDown={moveByArrow}>
      {shown.map(([id, count]) => (
        <Link
          key={id}
          class="chip"
          tabIndex={id === stop ? 0 : -1}
          to={{ category: id === category ? undefined : id }}
          isCurrent={id === category}
          isReplacing
        >
          <Category id={id} />
          <span class="count">{formatNumber(count)}</span>
        </Link>
      ))}
      {others.length > 0 && (
        <select
          class="chip"
          tabIndex={-1}
          aria-label={text.moreCategories(formatNumber(others.length))}
          value=""
          onChange={({ currentTarget }) => show({ category: currentTarget.value }, true)}
        >
          <option value="">{text.moreCategories(formatNumber(others.length))}</option>
          {others.map(([id, count]) => (
            <option key={id} value={id}>
              {text.option(categoryLabel(id), formatNumber(count))}
            </option>
          ))}
        </select>
      )}
    </nav>
  );
}
