import { fieldNames } from "@petstore/contract/fields";
import { render } from "preact";
import { view } from "../browser/address.ts";
import { maxAnimals } from "../catalogue/catalogue.ts";
import { matching } from "../catalogue/filtered-list.ts";
import { catalogue } from "../catalogue/session-catalogue.ts";
import { formatNumber, words } from "../language/language.ts";
import { categoryLabel, categoryText } from "../pets/categories.ts";
import { visibleName } from "../pets/names.ts";
import type { Pet } from "../pets/rules.ts";
import { session } from "../session/session.ts";
import { tabName } from "./header.tsx";

/** What is printed of an animal, in this order. */
const columns = [...new Set<keyof Pet>(["name", "id", ...fieldNames])];

/** The id of the animal of which a label is printed, not its details. */
let labelled: string | undefined;

/** Asks the browser to print the label of the open animal. */
export function printLabel(id: string): void {
  labelled = id;
  print();
}

/**
 * The page has only the rows near the screen. What the browser prints is drawn when it is about to
 * print, and goes afterwards.
 */
export function drawForPrinter(board: Element): void {
  const paper = document.createElement("div");
  paper.id = "paper";
  board.before(paper);
  addEventListener("beforeprint", () => {
    if (session.peek()) render(<Paper />, paper);
  });
  addEventListener("afterprint", () => {
    labelled = undefined;
    render(null, paper);
  });
}

function Paper() {
  const open = catalogue.value?.find(view.value.pet ?? "");
  if (!open) return <List />;
  return labelled === open.id ? <Label pet={open} /> : <Sheet pet={open} />;
}

/** The animals of the view, as in the file that can be saved of it. */
function List() {
  const { fields, list: text } = words.value;
  const { tab, category, search } = view.value;
  const { isComplete, isOver } = catalogue.value ?? {};
  const pets = matching.value;
  const filled = columns.filter((name) => pets.some((pet) => pet[name]));
  return (
    <>
      <h1>
        {tabName(tab)}
        {category !== undefined && (
          <>
            {" · "}
            <bdi>{categoryLabel(category)}</bdi>
          </>
        )}
        {search.trim() !== "" && (
          <>
            {" · "}
            <q dir="auto">{search}</q>
          </>
        )}
      </h1>
      <p>
        {text.count(formatNumber(pets.length), isComplete?.value === true)} · <Today />
      </p>
      {isOver?.value === true && <p>{text.over(formatNumber(maxAnimals))}</p>}
      <table>
        <thead>
          <tr>
            {filled.map((name) => (
              <th>{fields[name]}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pets.map((pet) => (
            <tr>
              {filled.map((name) => (
                <td>
                  <bdi>{textOf(pet, name)}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The details of an animal. */
function Sheet({ pet }: { pet: Pet }) {
  return (
    <>
      <h1>
        <bdi class="large">{visibleName(pet)}</bdi>
      </h1>
      <dl class="pet-details">
        {columns.slice(1).map(
          (name) =>
            pet[name] && (
              <div>
                <dt>{words.value.fields[name]}</dt>
                <dd>
                  <bdi>{textOf(pet, name)}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
      <p>
        <Today />
      </p>
    </>
  );
}

/** A sticker for a cage or a file. */
function Label({ pet }: { pet: Pet }) {
  return (
    <div class="label">
      <h1 dir="auto">{visibleName(pet)}</h1>
      <p dir="auto">{pet.reference ?? `#${pet.id}`}</p>
      <p dir="auto">{categoryLabel(pet.categoryId)}</p>
    </div>
  );
}

function Today() {
  const { tag } = words.value.language;
  return <>{new Date().toLocaleString(tag, { dateStyle: "long", timeStyle: "short" })}</>;
}

function textOf(pet: Pet, name: keyof Pet): string | undefined {
  const texts = {
    name: visibleName(pet),
    categoryId: categoryText(pet.categoryId),
    status: words.value.statuses[pet.status],
  };
  return { ...pet, ...texts }[name];
}
