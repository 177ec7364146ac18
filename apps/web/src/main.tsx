import { render } from "preact";
import { App } from "./app.tsx";
import { resumeSession } from "./session/session.ts";
import { ignoreHeldKeys } from "./shared/rest.ts";

resumeSession();
ignoreHeldKeys();
const board = document.querySelector("#board");
if (board) {
  board.replaceChildren(); // the text for when this program does not start
  render(<App />, board);
}
