import { render } from "preact";
import { acceptDrops } from "./add/drop.ts";
import { forgetAnswersAtSignOut } from "./add/kept-answers.ts";
import { openSheet } from "./add/load.ts";
import { App } from "./app.tsx";
import { leaveKeysToInputMethods } from "./browser/input-method.ts";
import { ignoreRepeatedPresses } from "./browser/repeated-presses.ts";
import { catalogue } from "./catalogue/session-catalogue.ts";
import { keepFocus } from "./list/focus.ts";
import { drawForPrinter } from "./list/printed-page.tsx";
import { listenToScanners } from "./list/scanner.ts";
import { keepWrites } from "./outbox/kept-writes.ts";
import { startOutbox } from "./outbox/outbox.ts";
import { followLink, resumeSession } from "./session/session.ts";

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
