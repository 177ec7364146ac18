import { view } from "../address.ts";
import { currentList } from "../catalogue.ts";
import { words } from "../language.ts";
import { AddDialog, useAddShortcut } from "./add-dialog.tsx";
import { Header } from "./header.tsx";
import { listId, ListView } from "./list-view.tsx";
import { PetDetails } from "./pet-details.tsx";
import { ToastView } from "./toast-view.tsx";

/** The page of a signed-in user. */
export function Board() {
  const list = currentList.value;
  const { pet, add } = view.value;
  useAddShortcut();
  return (
    <>
      <a class="skip" href={`#${listId}`}>
        {words.value.actions.skip}
      </a>
      <Header />
      {list && <ListView key={list} list={list} />}
      {list && pet !== undefined && <PetDetails key={pet} id={pet} list={list} />}
      {add !== undefined && <AddDialog tab={add} />}
      <ToastView isEmpty={add !== undefined} />
    </>
  );
}
