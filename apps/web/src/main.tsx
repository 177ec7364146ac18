import { render } from "preact";
import { resumeSession } from "./session.ts";
import { App } from "./views/app.tsx";

resumeSession();
const board = document.querySelector("#board");
board?.replaceChildren();
if (board) render(<App />, board);
