import { useSignalEffect } from "@preact/signals";
import { AddDialog } from "./add/add-dialog.tsx";
import { Header, tabName } from "./list/header.tsx";
import { ListView } from "./list/list-view.tsx";
import { NotSaved } from "./list/not-saved.tsx";
import { PetDetails } from "./list/pet-details.tsx";
import { session } from "./session/session.ts";
import { SignIn } from "./session/sign-in.tsx";
import { view } from "./shared/address.ts";
import { words } from "./shared/language.ts";
import { settings } from "./shared/settings.ts";

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
