import { useSignalEffect } from "@preact/signals";
import { AddDialog } from "./add/add-dialog.tsx";
import { view } from "./browser/address.ts";
import { settings } from "./browser/board-settings.ts";
import { words } from "./language/language.ts";
import { Header, tabName } from "./list/header.tsx";
import { ListView } from "./list/list-view.tsx";
import { NotSaved } from "./list/not-saved.tsx";
import { PetDetails } from "./list/pet-details.tsx";
import { session } from "./session/session.ts";
import { SignIn } from "./session/sign-in.tsx";

export function App() {
  useSignalEffect(() => {
    const { actions } = words.value;
    document.title = `${session.value ? tabName(view.value.tab) : actions.signIn} · ${settings.name}`;
  });
  return session.value ? (
    <Board />
  ) : (
    <SignIn>
      <NotSaved />
    </SignIn>
  );
}

/** The page of a signed-in user. */
function Board() {
  const { pet, add } = view.value;
  return (
    <>
      <Header />
      <div class={pet === undefined ? "page" : "page has-side"}>
        <ListView />
        {pet !== undefined && <PetDetails id={pet} />}
      </div>
      {add !== undefined && <AddDialog tab={add} />}
    </>
  );
}
