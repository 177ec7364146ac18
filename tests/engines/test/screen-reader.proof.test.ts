import { setTimeout as sleep } from "node:timers/promises";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { startProxy, type Proxy } from "@petstore/test-servers/proxy";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasScreenReader, openScreenReader } from "./screen-reader/screen-reader.ts";

/** After this time without a word nothing more comes, in milliseconds. */
const silenceMs = 3_000;

/** How many stops the Tab key makes on the board before it begins again. */
const maxStops = 30;

/** Somebody who works on the board with a screen reader. */
interface Worker extends AsyncDisposable {
  server: TestServer;
  proxy: Proxy;
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses a key until something is spoken that begins with this: the element with the focus. */
  goTo(name: string, key?: string): Promise<void>;
  /** Waits until this is spoken. Call it within {@link Worker.hear}. */
  untilSpoken(text: string): Promise<void>;
  /** Does something, and returns what is spoken from its beginning until the voice is silent. */
  hear(act: () => Promise<void>): Promise<string[]>;
}

/**
 * Signs in where 107 animals are available and 53 are reserved. Prints what was pressed and spoken.
 */
async function startWork(): Promise<Worker> {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await startServer());
  const proxy = resources.use(await startProxy(server.port));
  const ids = Array.from({ length: 160 }, (_, index) => index + 1);
  await server.store.importPets(
    ids.map((id) => ({
      id,
      name: `Animal ${id}`,
      categoryId: id % 9,
      status: id % 3 === 0 ? "pending" : "available",
    })),
  );
  const reader = resources.use(await openScreenReader(`${proxy.origin}/`));
  const pressed: { at: number; text: string }[] = [];
  onTestFinished(() => {
    const lines = [...pressed, ...reader.spoken()].toSorted((one, other) => one.at - other.at);
    const began = lines[0]?.at ?? 0;
    for (const { at, text } of lines)
      process.stdout.write(`${((at - began) / 1000).toFixed(2).padStart(7)} ${text}\n`);
  });

  let heard = 0;
  const texts = () =>
    reader
      .spoken()
      .slice(heard)
      .map(({ text }) => text);
  async function press(key: string): Promise<void> {
    pressed.push({ at: Date.now(), text: `> ${key}` });
    await reader.press(key);
  }
  async function type(text: string): Promise<void> {
    pressed.push({ at: Date.now(), text: `> ${text.length} letters` });
    await reader.type(text);
  }
  const untilSpoken = async (text: string) => expect.poll(() => texts().join("\n")).toContain(text);
  async function goTo(name: string, key = "Tab"): Promise<void> {
    for (let stops = 0; stops < maxStops; stops += 1) {
      const before = texts().length;
      await press(key);
      await expect.poll(() => texts().length).toBeGreaterThan(before);
      await silence(500);
      if (
        texts()
          .slice(before)
          .some((text) => text.startsWith(name))
      )
        return;
    }
    throw new Error(`${key} does not reach ${name}`);
  }
  async function silence(ms: number): Promise<void> {
    const began = Date.now();
    while (Date.now() - Math.max(began, reader.spoken().at(-1)?.at ?? 0) < ms) await sleep(20);
  }
  async function hear(act: () => Promise<void>): Promise<string[]> {
    heard = reader.spoken().length;
    await act();
    await silence(silenceMs);
    return texts();
  }

  await hear(async () => {
    await untilSpoken("Access key");
    await type(server.apiKey);
    await press("Return");
    await untilSpoken("107 animals");
  });
  const owned = resources.move();
  return {
    server,
    proxy,
    press,
    type,
    goTo,
    untilSpoken,
    hear,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function statusOf({ server }: Worker, id: number): Promise<unknown> {
  const { body } = await server.call(`/pets/${id}`);
  return (body as { status: string }).status;
}

const linesWith = (text: string, lines: readonly string[]) =>
  lines.filter((line) => line.includes(text));

describe.runIf(hasScreenReader)("Orca in Firefox", () => {
  test("speaks once that an animal is reserved, and once that this was undone", async () => {
    await using worker = await startWork();
    await worker.goTo("Reserve: Animal 160");
    const reserved = await worker.hear(async () => {
      await worker.press("Return");
      await expect.poll(() => statusOf(worker, 160)).toBe("pending");
      await worker.goTo("Undo");
    });
    const undone = await worker.hear(async () => {
      await worker.press("Return");
      await expect.poll(() => statusOf(worker, 160)).toBe("available");
    });
    expect.soft(linesWith("Animal 160 is now Reserved.", reserved)).toHaveLength(1);
    expect.soft(linesWith("Animal 160 is now Available.", undone)).toHaveLength(1);
  });

  test("after a step, another Enter is not the next step", async () => {
    await using worker = await startWork();
    await worker.goTo("Reserve: Animal 160");
    await worker.hear(async () => {
      await worker.press("Return");
      await expect.poll(() => statusOf(worker, 160)).toBe("pending");
    });
    const heard = await worker.hear(() => worker.press("Return"));
    expect.soft(linesWith("Adopted", heard)).toEqual([]);
    expect(await statusOf(worker, 160)).toBe("pending");
  });

  test("speaks once which change was rejected, and why", async () => {
    await using worker = await startWork();
    const { proxy, server } = worker;
    await worker.goTo("Reserve: Animal 160");
    // The board does not see the change of someone else before its own is rejected.
    const sent = Promise.withResolvers<void>();
    proxy.treat = async (request) => {
      if (request.method === "GET") await sent.promise;
      else sent.resolve();
      return request.forward();
    };
    await server.call("/pets/160", { method: "PATCH", body: { status: "sold" } });
    const heard = await worker.hear(async () => {
      await worker.press("Return");
      await sent.promise;
    });
    expect.soft(linesWith("Animal 160 → Reserved", heard)).toHaveLength(1);
    expect.soft(linesWith("Someone else changed it first", heard)).toHaveLength(1);
    expect.soft(linesWith("is now Adopted.", heard)).toHaveLength(1);
  });

  test("speaks the title of a dialog, and letters that are typed then are in its first field", async () => {
    await using worker = await startWork();
    await worker.goTo("Add animals", "shift+Tab");
    const opened = await worker.hear(() => worker.press("Return"));
    expect.soft(linesWith("Add animals", opened)).not.toEqual([]);
    await worker.hear(() => worker.type("Zed"));
    await worker.hear(() => worker.press("Tab"));
    await worker.hear(() => worker.type("4"));
    const added = await worker.hear(() => worker.press("Return"));
    expect.soft(linesWith("Zed was added as #161.", added)).toHaveLength(1);
    const { body } = await worker.server.call("/pets/161");
    expect(body).toMatchObject({ name: "Zed", categoryId: 4 });
  });

  test("speaks once how many animals another list has", async () => {
    await using worker = await startWork();
    await worker.goTo("Available", "shift+Tab");
    await worker.goTo("Reserved", "k"); // Orca's key for the next link
    const heard = await worker.hear(async () => {
      await worker.press("Return");
      await worker.untilSpoken("53 animals");
    });
    expect(linesWith("53 animals", heard)).toHaveLength(1);
  });
});
