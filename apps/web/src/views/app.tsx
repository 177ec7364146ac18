import { useSignalEffect } from "@preact/signals";
import { words } from "../language.ts";
import { session } from "../session.ts";
import { Board } from "./board.tsx";
import { SignIn } from "./sign-in.tsx";

export function App() {
  useSignalEffect(() => {
    document.title = words.value.product;
  });
  return session.value ? <Board /> : <SignIn />;
}
