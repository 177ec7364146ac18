import { signal } from "@preact/signals";
import { Fragment } from "preact";
import { view } from "../shared/address.ts";
import { categoryLabel } from "../shared/categories.ts";
import { formatNumber, words } from "../shared/language.ts";
import { tabName } from "./header.tsx";
import { PetName } from "./pet-row.tsx";
import { matching } from "./shown.ts";

/** Set while the browser prints, which draws the page anew. */
const isPrinting = signal(false);

addEventListener("beforeprint", () => (isPrinting.value = true));
addEventListener("afterprint", () => (isPrinting.value = false));

/** Every animal of the view, on paper. */
export function PrintView() {
  const { fields, statuses, list: text, language } = words.value;
  if (!isPrinting.value) return null;
  const { tab, category, search } = view.value;
  const pets = matching.value;
  const parts = [tabName(tab), category && categoryLabel(category), search].filter(Boolean);
  return (
    <section class="print">
      <h1>
        {parts.map((part, index) => (
          <Fragment key={index}>
            {index > 0 && " · "}
            <bdi>{part}</bdi>
          </Fragment>
        ))}
      </h1>
      <p>
        {text.count(formatNumber(pets.length), true)} · {new Date().toLocaleString(language.tag)}
      </p>
      <table>
        <thead>
          <tr>
            <th>{fields.name}</th>
            <th>{fields.id}</th>
            <th>{fields.categoryId}</th>
            <th>{fields.status}</th>
          </tr>
        </thead>
        <tbody>
          {pets.map((pet) => (
            <tr key={pet.id}>
              <td>
                <PetName of={pet} />
              </td>
              <td>{pet.id}</td>
              <td>{categoryLabel(pet.categoryId)}</td>
              <td>{statuses[pet.status]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
