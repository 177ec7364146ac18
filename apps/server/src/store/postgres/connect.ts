import { StoreUnavailableError } from "@petstore/service";
import { Client, type ClientBase, type ClientConfig } from "pg";
import { parsePostgresUrl, type PostgresAddress } from "./address.ts";
import { toUnreachable } from "./errors.ts";

/** The servers of an address. One is used until it cannot be reached or takes no writes; then the next is. */
export class Servers {
  readonly #address: PostgresAddress;
  #index = 0;

  constructor(url: string) {
    this.#address = parsePostgresUrl(url) ?? { urls: [url], onlyWritable: false };
  }

  get current(): string {
    const { urls } = this.#address;
    return urls[this.#index] ?? urls[0];
  }

  /** Checks a new session, with one statement. @throws {StoreUnavailableError} when another server is wanted */
  async check(client: ClientBase, deadline: number): Promise<void> {
    const { rows } = await client.query<{ pid: number; readOnly: boolean; standby: boolean }>({
      text: `SELECT pg_backend_pid() AS pid, current_setting('transaction_read_only')::boolean AS "readOnly",
        pg_is_in_recovery() AS standby`,
      query_timeout: Math.max(1, Math.ceil(deadline - performance.now())),
    } as { text: string });
    const [session] = rows;
    if (this.#address.onlyWritable && session?.readOnly === true) {
      throw new StoreUnavailableError("a server takes no writes", { reason: "connection" });
    }
    // A pooler makes up the number that it gives its clients.
    if (session?.pid !== (client as ClientBase & { processID: number }).processID) pooled.add(client);
    if (session?.standby === true) onStandby.add(client);
  }

  /** Calls `connect` until it succeeds, for one server after the other, or reports why none could be used in time. */
  async try<Connected>(connect: () => Promise<Connected>, patienceMs = Infinity): Promise<Connected> {
    const { urls } = this.#address;
    const startedAt = performance.now();
    const failures: unknown[] = [];
    for (let attempt = 1; ; attempt++) {
      const server = this.current;
      try {
        return await connect();
      } catch (error) {
        failures.push(error);
        // Of many callers that fail together, the first moves on for all.
        if (server === this.current) this.#index = (this.#index + 1) % urls.length;
        if (attempt < urls.length && performance.now() - startedAt < patienceMs) continue;
        throw toUnreachable(new AggregateError(failures));
      }
    }
  }
}

const pooled = new WeakSet<ClientBase>();

/**
 * Whether a pooler such as PgBouncer is in between. Each transaction may then have another session of the server, so that nothing may
 * be prepared in one and nothing listened for.
 */
export function isPooled(client: ClientBase): boolean {
  return pooled.has(client);
}

const onStandby = new WeakSet<ClientBase>();

/** Whether it led to a standby when it was made. It stays open when that is promoted. */
export function isOnStandby(client: ClientBase): boolean {
  return onStandby.has(client);
}

/** A connection of its own. @throws {StoreUnavailableError} when no server can be reached */
export async function connectAlone(
  servers: Servers,
  options: ClientConfig & { connectionTimeoutMillis: number },
): Promise<Client> {
  return await servers.try(async () => {
    const deadline = performance.now() + options.connectionTimeoutMillis;
    const client = new Client({ ...options, connectionString: servers.current });
    client.on("error", () => {}); // the statement that it breaks reports it
    try {
      await client.connect();
      await servers.check(client, deadline);
      return client;
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
  });
}
