import { ProblemBox } from "../session/problem-box.tsx";
import { Icon } from "../shared/icons.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { loadNow, retryAt, wait } from "./catalogue.ts";
import type { PetList } from "./pet-list.ts";

interface ListDockProps {
  list: PetList;
  onShowNew: () => void;
}

/** Floats above the list: new animals that are not on the screen, and a problem while there is something to read. */
export function ListDock({ list, onShowNew }: ListDockProps) {
  const unseen = list.unseen.value;
  const problem = list.problem.value;
  const count = list.pets.value.length;
  const isFirstLoad = count === 0 && !list.isComplete.value;
  return (
    <div class="dock">
      <div role="status">
        {unseen > 0 && (
          <button type="button" class="newcomers" onClick={onShowNew}>
            <span>{words.value.list.newAnimals(formatNumber(unseen))}</span> <Icon name="down" />
          </button>
        )}
      </div>
      {problem && count > 0 && <ProblemBox problem={problem} retryAt={retryAt.value} retry={loadNow} isBar />}
      {!problem && isFirstLoad && wait.value && (
        <ProblemBox problem={wait.value.problem} retryAt={wait.value.until} isBar />
      )}
    </div>
  );
}
