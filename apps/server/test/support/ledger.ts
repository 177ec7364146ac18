import { eventually } from "@petstore/test-kit/eventually";
import { expectExit, type Serving } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import type { Petstore } from "./petstore.ts";

/** A write, which is repeated with the same key until the response says what became of it. */
interface Write {
  method: "POST" | "PATCH" | "DELETE";
  path: string;
  body?: string;
  /** The idempotency key. It is also the name that the write gives. */
  number: number;
  /** How often it was sent. Each time has a request id of its own. */
  attempts: number;
  /** When it was first sent, by a clock that nobody sets. */
  sentAt: number;
  answer?: Answer;
}

interface Answer {
  status: number;
  text: string;
  receivedAt: number;
}

/** A line of `petstore-server audit --pet`. */
interface Entry {
  action: string;
  requestId?: string;
  previous?: object;
}

/** What contradicts the responses, by its kind, each as a line. */
type Faults = Record<"lost" | "doubled" | "appliedTwice" | "reverted" | "history", string[]>;

const writers = 4;

/**
 * How many animals the writers change: so few that several change the same one at the same time.
 */
const contended = 12;

/** This many rejections in a row mean that the server accepts no writes. */
const manyRejections = 20;

/** Statuses after which a write is sent again, as docs/api.md says. */
const unknown = new Set([409, 503]);

/**
 * Writes to a server whose clock or files are harmed, and compares what is stored with what was
 * acknowledged.
 */
export class Ledger {
  readonly #petstore: Petstore;
  readonly #key: string;
  readonly #writes: Write[] = [];
  /** Writes without a final response. */
  readonly #unanswered: Write[] = [];
  #acknowledged = 0;
  /** The number of acknowledged writes that somebody waits for. */
  #awaited: { count: number; resolve: () => void } | undefined;
  /** Animals that are not known to be removed. */
  #present: string[] = [];
  /** The statuses of all responses, in their order. */
  readonly #statuses: number[] = [];
  /** Responses to repeats that were different. */
  readonly #differences: string[] = [];
  /** Animals that an operator has put back, as the lines that were imported, by id. */
  readonly #putBack = new Map<string, string>();

  private constructor(petstore: Petstore, key: string) {
    this.#petstore = petstore;
    this.#key = key;
  }

  static async open(petstore: Petstore): Promise<Ledger> {
    return new Ledger(petstore, await petstore.createKey("--scopes write,remove"));
  }

  /**
   * Lets writers work while something happens, and until the last requests have ended.
   * @param repeats whether some writes are repeated after their response. Not across a step of the
   * clock that is longer than keys are kept
   */
  async writeWhile(
    server: Serving,
    happens: () => Promise<void>,
    { repeats = true } = {},
  ): Promise<void> {
    const stopping = new AbortController();
    const write = async (): Promise<void> => {
      while (!stopping.signal.aborted)
        await this.#send(server, this.#unanswered.pop() ?? this.#next(), repeats);
    };
    const failed = Promise.withResolvers<never>();
    const working = Promise.all(Array.from({ length: writers }, write));
    working.catch(failed.reject);
    failed.promise.catch(() => {}); // it may reject when nobody waits any more
    try {
      await Promise.race([happens(), failed.promise]);
    } finally {
      stopping.abort();
      await working;
    }
  }

  /** Resolves when this many more writes are acknowledged. */
  async acknowledges(more: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { count: this.#acknowledged + more, resolve };
    await promise;
  }

  /** Resolves when the server rejects all writes with 503. */
  async rejects(): Promise<void> {
    const from = this.#statuses.length;
    await eventually(() => {
      const latest = this.#statuses.slice(from).slice(-manyRejections);
      return latest.length === manyRejections && latest.every((status) => status === 503);
    });
  }

  /** Sends the writes that have no final response again, until each has one. */
  async settle(server: Serving): Promise<void> {
    await eventually(async () => {
      for (const write of this.#unanswered.splice(0)) await this.#send(server, write, false);
      return this.#unanswered.length === 0;
    });
  }

  /** Puts removed animals back as docs/server.md says. */
  async putBack(count: number): Promise<void> {
    const removals = this.#acknowledgedBy("DELETE").filter(({ answer }) => answer.status === 204);
    if (removals.length < count) throw new Error(`Only ${removals.length} animals are removed`);
    for (const { path } of removals.slice(-count)) {
      const id = idIn(path);
      const last = (await this.#historyOf(id)).at(-1);
      const line = JSON.stringify(last?.previous);
      await expectExit(0, this.#petstore.run("import pets -", `${line}\n`));
      this.#putBack.set(id, line);
      this.#present.push(id);
    }
  }

  /**
   * Compares the export and the history of each animal with all responses. Nothing is written
   * meanwhile.
   */
  async expectKept(): Promise<void> {
    if (this.#unanswered.length > 0)
      throw new Error("Some writes have no response: settle them first");
    const faults: Faults = {
      lost: [],
      doubled: [],
      appliedTwice: this.#differences,
      reverted: [],
      history: [],
    };
    const { stdout } = await expectExit(0, this.#petstore.run("export pets"));
    const stored = new Map(
      Array.from(stdout.matchAll(/^\{"id":(\d+),.*$/gm), ([line, id = ""]) => [id, line]),
    );
    const created = new Map(
      this.#acknowledgedBy("POST").map(({ answer: { text } }) => [idIn(text), text]),
    );
    for (const id of stored.keys()) if (!created.has(id)) faults.doubled.push(`animal ${id}`);
    const byAnimal = Map.groupBy(
      [...this.#acknowledgedBy("PATCH"), ...this.#acknowledgedBy("DELETE")],
      ({ path }) => idIn(path),
    );
    for (const [id, first] of created)
      this.#follow(
        id,
        { first, writes: byAnimal.get(id) ?? [], history: await this.#historyOf(id), stored },
        faults,
      );
    expectNone(faults);
  }

  #acknowledgedBy(wanted: Write["method"]): (Write & { answer: Answer })[] {
    return this.#writes.filter(
      (write): write is Write & { answer: Answer } =>
        write.method === wanted && write.answer !== undefined,
    );
  }

  /** Follows an animal through its history: each entry must begin where the one before ended. */
  #follow(
    id: string,
    {
      first,
      writes,
      history,
      stored,
    }: Readonly<{
      first: string;
      writes: (Write & { answer: Answer })[];
      history: Entry[];
      stored: Map<string, string>;
    }>,
    faults: Faults,
  ): void {
    const effective = writes.filter(({ answer }) => answer.status < 300);
    const byNumber = new Map(effective.map((write) => [String(write.number), write]));
    const known = faults.history.length;
    let state: string | undefined = first;
    let latestSentAt = 0;
    const seen = new Set<Write>();
    for (const [place, { action, requestId = "", previous }] of history.entries()) {
      const entry = `animal ${id}, entry ${place + 1} of ${history.length}, ${action} ${requestId}`;
      const before = previous && JSON.stringify(previous);
      if (action === "pet_put_back") {
        if (before !== undefined || state !== undefined)
          faults.history.push(`${entry}: it was ${before ?? state}`);
        state = this.#putBack.get(id);
        continue;
      }
      if (before !== state) faults.history.push(`${entry}: it was ${state}, and not ${before}`);
      const write = byNumber.get(requestId.replace(/-\d+$/, ""));
      if (write === undefined) {
        faults.history.push(`${entry}: nobody has got its response`);
        continue;
      }
      if (seen.has(write)) faults.appliedTwice.push(entry);
      seen.add(write);
      if (write.answer.receivedAt < latestSentAt)
        faults.history.push(`${entry}: it comes after a later request`);
      latestSentAt = Math.max(latestSentAt, write.sentAt);
      state = write.method === "DELETE" ? undefined : write.answer.text;
    }
    for (const write of effective)
      if (!seen.has(write))
        faults.history.push(`animal ${id}: ${write.method} ${write.number} has no entry`);
    const now = stored.get(id);
    const wasRemoved = effective.some(({ method }) => method === "DELETE");
    // A history that is not whole does not tell how it ended.
    const isWhole = faults.history.length === known;
    if (isWhole ? state !== now : now === undefined && !wasRemoved)
      faults[now === undefined ? "lost" : "reverted"].push(
        `animal ${id}: ${now}, and not ${state}`,
      );
    if (effective.length < writes.length && !wasRemoved)
      faults.lost.push(`animal ${id}, for a while`);
  }

  async #historyOf(id: string): Promise<Entry[]> {
    const { stdout } = await expectExit(0, this.#petstore.run(`audit --pet ${id}`));
    return stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Entry);
  }

  /** One of fifteen is a creation, and one a removal. */
  #next(): Write {
    const number = this.#writes.length + 1;
    const kind = this.#present.length < contended ? 0 : number % 15;
    const path = `/pets/${this.#present[Math.floor(contended * Math.random())] ?? ""}`;
    const name = String(number);
    const write: Pick<Write, "method" | "path" | "body"> =
      kind === 0
        ? { method: "POST", path: "/pets", body: JSON.stringify({ name, categoryId: 1 }) }
        : kind === 1
          ? { method: "DELETE", path }
          : { method: "PATCH", path, body: JSON.stringify({ name }) };
    const complete = { ...write, number, attempts: 0, sentAt: performance.now() };
    this.#writes.push(complete);
    return complete;
  }

  async #send(server: Serving, write: Write, repeats: boolean): Promise<void> {
    const answer = await this.#attempt(server, write);
    if (answer === undefined) return void this.#unanswered.push(write);
    write.answer = answer;
    this.#note(write, answer);
    this.#acknowledged += 1;
    if (this.#acknowledged === this.#awaited?.count) this.#awaited.resolve();
    if (!repeats || answer.status === 404 || Math.random() > 0.1) return;
    const again = await this.#attempt(server, write);
    if (again === undefined || (again.status === answer.status && again.text === answer.text))
      return;
    this.#differences.push(
      `${write.method} ${write.number}: ${again.status} ${again.text}, not ${answer.text}`,
    );
  }

  /** Sends a write once. Returns no answer if it may be stored or not. */
  async #attempt(server: Serving, write: Write): Promise<Answer | undefined> {
    const { method, path, body, number } = write;
    const headers = {
      "Idempotency-Key": String(number),
      "X-Request-Id": `${number}-${++write.attempts}`,
    };
    const response = await server
      .call(this.#key, path, body, headers, method)
      .catch((error: unknown) => {
        if (error instanceof TypeError) return undefined; // the connection has failed
        throw error;
      });
    if (response === undefined) return undefined;
    const { status, text } = response;
    this.#statuses.push(status);
    if (unknown.has(status)) return undefined;
    expectStatus(`${method} ${status}`);
    return { status, text, receivedAt: performance.now() };
  }

  #note({ method, path }: Write, { status, text }: Answer): void {
    if (method === "POST") this.#present.push(idIn(text));
    else if (status !== 200) this.#present = this.#present.filter((id) => id !== idIn(path));
  }
}

function expectNone(faults: Faults): void {
  expect(faults).toEqual({ lost: [], doubled: [], appliedTwice: [], reverted: [], history: [] });
}

function expectStatus(methodAndStatus: string): void {
  expect(methodAndStatus).toMatch(/^(?:POST 201|PATCH (?:200|404)|DELETE (?:204|404))$/);
}

/** The id in a path or in an animal as JSON. */
function idIn(text: string): string {
  return /^(?:\/pets\/|\{"id":)(\d+)/.exec(text)?.[1] ?? "";
}
