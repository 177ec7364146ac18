import { ProblemBox } from "../session/problem-box.tsx";
import { Icon } from "../shared/icons.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { trouble } from "./connection.ts";
import { catalogue, loadNow, retryAt } from "./current.ts";

interface ListDockProps {
  /** How many new animals are not on the screen. */
  unseen: number;
  onShowNew: () => void;
}

/** Floats above the list: new animals that are not on the screen, and why the service cannot be reached. */
export function ListDock({ unseen, onShowNew }: ListDockProps) {
  const problem = catalogue.value?.problem.value;
  const isEmpty = catalogue.value?.pets.value.length === 0;
  const current = trouble.value;
  return (
    <div class="dock">
      <div role="status">
        {unseen > 0 && (
          <button type="button" class="newcomers" onClick={onShowNew}>
            <span>{words.value.list.newAnimals(formatNumber(unseen))}</span> <Icon name="up" />
          </button>
        )}
      </div>
      {problem && !isEmpty && <ProblemBox problem={problem} retryAt={retryAt.value} retry={loadNow} isBar />}
      {!problem && current && <ProblemBox problem={current.problem} retryAt={current.until} isBar />}
    </div>
  );
}
