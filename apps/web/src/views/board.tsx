import { view } from "../address.ts";
import { currentList } from "../catalogue.ts";
import { Header } from "./header.tsx";
import { ListView } from "./list-view.tsx";
import { PetDetails } from "./pet-details.tsx";

/** The page of a signed-in user. */
export function Board() {
  const list = currentList.value;
  const { tab, pet } = view.value;
  return (
    <>
      <Header />
      {list && <ListView key={tab} list={list} />}
      {list && pet !== undefined && <PetDetails key={pet} id={pet} list={list} />}
    </>
  );
}
