import { view } from "../address.ts";
import { currentList } from "../catalogue.ts";
import { words } from "../language.ts";
import { Header } from "./header.tsx";
import { ListView } from "./list-view.tsx";
import { PetDetails } from "./pet-details.tsx";

/** The page of a signed-in user. */
export function Board() {
  const list = currentList.value;
  const { tab, pet } = view.value;
  return (
    <>
      <a class="skip" href="#list">
        {words.value.actions.skip}
      </a>
      <Header />
      {list && <ListView key={tab} list={list} />}
      {list && pet !== undefined && <PetDetails key={pet} id={pet} list={list} />}
    </>
  );
}
