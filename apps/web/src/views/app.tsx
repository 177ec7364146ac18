import { useSignalEffect } from "@preact/signals";
import { view } from "../address.ts";
import { words } from "../language.ts";
import { session } from "../session.ts";
import { Board } from "./board.tsx";
import { tabName } from "./header.tsx";
import { SignIn } from "./sign-in.tsx";

export function App() {
  useSignalEffect(() => {
    const { product, actions } = words.value;
    document.title = `${session.value ? tabName(view.value.tab) : actions.signIn} · ${product}`;
  });
  return session.value ? <Board /> : <SignIn />;
}
