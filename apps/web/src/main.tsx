import { render } from "preact";
import { resumeSession } from "./session.ts";
import { App } from "./views/app.tsx";

resumeSession();
const board = document.querySelector("#board");
if (board) {
  board.replaceChildren(); // the text for when this program does not start
  render(<App />, board);
}
