import { expect } from "vitest";
import { runSql } from "./postgres-database.ts";

/** Calls that create an animal, and wait for no lock, so that `lock_timeout` does not end them. */
export interface HeldCreations {
  /** Resolves when so many are held. */
  untilHeld(count: number): Promise<void>;
  /** Lets them go on. Until then each waits for as long as `statement_timeout` lets it. */
  release(): Promise<void>;
}

/** Holds each creation from now on, with the connection that it uses. */
export async function holdCreations(url: string): Promise<HeldCreations> {
  // For each statement: it comes before the lock of the row, for which others would wait.
  await runSql(
    url,
    `CREATE TABLE gate AS SELECT FALSE AS is_open;
    CREATE FUNCTION wait_at_gate() RETURNS TRIGGER LANGUAGE plpgsql AS $$
    BEGIN
      WHILE NOT (SELECT is_open FROM gate) LOOP PERFORM pg_sleep(0.02); END LOOP;
      RETURN NULL;
    END $$;
    CREATE TRIGGER wait_at_gate BEFORE UPDATE ON numbering FOR EACH STATEMENT EXECUTE FUNCTION wait_at_gate()`,
  );
  const sleeping = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
  return {
    untilHeld: (count) => expect.poll(() => runSql(url, sleeping)).toHaveLength(count),
    release: async () => void (await runSql(url, "UPDATE gate SET is_open = TRUE")),
  };
}
