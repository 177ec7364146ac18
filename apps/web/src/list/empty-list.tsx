import { view } from "../shared/address.ts";
import { formatNumber, words } from "../shared/language.ts";
import { Link } from "../shared/link.tsx";
import { EmptyPicture } from "../shared/pictures.tsx";
import { tabCounts } from "./shown.ts";

/** Why there are no animals in the view, and where there are. */
export function EmptyList() {
  const { list: text } = words.value;
  const { tab, search, category } = view.value;
  const elsewhere = tabCounts.value.all;
  const isFiltered = search !== "" || category !== undefined;
  return (
    <section class="empty">
      <EmptyPicture />
      <h2>{isFiltered ? text.nothingFound : text.empty[tab]}</h2>
      {!isFiltered && <p class="muted">{text.emptyAdvice}</p>}
      {isFiltered && tab !== "all" && elsewhere > 0 && (
        <Link to={{ tab: "all" }}>{text.elsewhere(formatNumber(elsewhere))}</Link>
      )}
      {isFiltered && <Link to={{ search: "", category: undefined }}>{text.clear}</Link>}
    </section>
  );
}
