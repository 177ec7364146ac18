import type { TimeLimits } from "../time-limits.ts";
import type { BackgroundOptions } from "./background.ts";

/** The options of a store that keeps its data. */
export interface StoreOptions extends BackgroundOptions {
  limits: TimeLimits;
  /** Who makes the changes of the audit trail. */
  operator: string;
  /** How long the changes of animals are kept, in milliseconds. */
  historyMs: number;
  /**
   * Requires an existing database with an up-to-date schema, and neither creates nor changes it.
   * @default false
   */
  mustExist?: boolean;
  /** Called with what was created, if the database was missing or empty. */
  onCreated?: (what: string) => void;
  /**
   * Called when writes of animals have been committed together: how many, and how long it took in
   * milliseconds.
   */
  onCommit?: (count: number, ms: number) => void;
}
