/** Work of a store whose failure fails no request. */
export type BackgroundTaskName = "clear_expired" | "note_key_use" | "read_keys" | "count_requests";

export interface BackgroundOptions {
  /** Called for each task that the store has. */
  onBackgroundTask?: (task: BackgroundTaskName) => void;
  /** Called each time that a task fails. Its next turn tries again. */
  onBackgroundFailure?: (task: BackgroundTaskName, error: unknown) => void;
}

/** Work that runs at most once at a time, and reports its failures instead of failing a request. */
export class BackgroundTask {
  readonly #name: BackgroundTaskName;
  readonly #options: BackgroundOptions;
  #running: Promise<void> | undefined;

  constructor(name: BackgroundTaskName, options: BackgroundOptions) {
    this.#name = name;
    this.#options = options;
    options.onBackgroundTask?.(name);
  }

  /** Runs the work, or waits for the run in progress. Never rejects. */
  run(work: () => Promise<void>): Promise<void> {
    return (this.#running ??= work()
      .catch((error: unknown) => this.failed(error))
      .finally(() => (this.#running = undefined)));
  }

  /** Reports a failure of work that is part of a request, and that the request does without. */
  failed(error: unknown): void {
    this.#options.onBackgroundFailure?.(this.#name, error);
  }
}
