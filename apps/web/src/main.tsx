import { render } from "preact";
import { App } from "./app.tsx";
import { acceptDrops } from "./batch/drop.ts";
import { forgetAnswersAtSignOut } from "./batch/kept-answers.ts";
import { openSheet } from "./batch/load.ts";
import { catalogue } from "./list/current.ts";
import { keepFocus } from "./list/focus.ts";
import { drawForPrinter } from "./list/paper.tsx";
import { listenToScanners } from "./list/scanner.ts";
import { keepWrites } from "./outbox/kept-writes.ts";
import { startOutbox } from "./outbox/outbox.ts";
import { followLink, resumeSession } from "./session/session.ts";
import { leaveKeysToInputMethods } from "./shared/input-method.ts";
import { ignoreRepeatedPresses } from "./shared/rest.ts";

const board = document.querySelector("#board");
if (board && !followLink()) {
  resumeSession();
  keepWrites();
  startOutbox(() => catalogue.peek());
  leaveKeysToInputMethods(); // before anything listens to keys
  ignoreRepeatedPresses();
  listenToScanners();
  acceptDrops(openSheet);
  forgetAnswersAtSignOut();
  keepFocus(document.body);
  drawForPrinter(board);
  board.replaceChildren(); // the text for when this program does not start
  render(<App />, board);
}
