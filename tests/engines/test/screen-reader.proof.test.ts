import { setTimeout as sleep } from "node:timers/promises";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { startProxy, type Proxy } from "@petstore/test-servers/proxy";
import { describe, expect, onTestFinished, test } from "vitest";
import { openScreenReader, type ScreenReader } from "./screen-reader/screen-reader.ts";

const programs = {
  display: "/usr/bin/Xvfb",
  bus: "/usr/bin/dbus-daemon",
  browser: "/usr/bin/firefox-esr",
  keys: "/usr/bin/xdotool",
  reader: "/usr/bin/orca",
};

/** How long the voice says nothing before the last text was spoken, in milliseconds. The board asks for news less often. */
const silenceMs = 3_000;

interface Worker extends AsyncDisposable {
  server: TestServer;
  proxy: Proxy;
  reader: ScreenReader;
  /** Does something, and returns what is spoken until the voice is silent. */
  hear(act: () => Promise<void>): Promise<string[]>;
  /** Moves the focus by the Tab key until this is spoken. */
  tabTo(text: string, key?: string): Promise<void>;
}

/** Somebody who works with 160 animals, of which 53 are reserved, and has signed in. */
async function startWork(): Promise<Worker> {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await startServer());
  const proxy = resources.use(await startProxy(server.port));
  const ids = Array.from({ length: 160 }, (_, index) => index + 1);
  await server.store.importPets(
    ids.map((id) => ({ id, name: `Animal ${id}`, categoryId: id % 9, status: id % 3 ? "available" : "pending" })),
  );
  const began = Date.now();
  const reader = resources.use(await openScreenReader(`${proxy.origin}/`, programs));
  const told: string[] = [];
  onTestFinished(() => console.log(told.join("\n")));

  async function hear(act: () => Promise<void>): Promise<string[]> {
    const before = reader.spoken().length;
    told.push(`- ${String(act).replaceAll(/\s+/g, " ")}`);
    await act();
    let since = Date.now();
    while (Date.now() - since < silenceMs) {
      await sleep(50);
      since = Math.max(since, reader.spoken().at(-1)?.at ?? 0);
    }
    const heard = reader.spoken().slice(before);
    for (const { at, text } of heard) told.push(`${((at - began) / 1000).toFixed(1).padStart(7)} ${text}`);
    return heard.map(({ text }) => text);
  }

  async function tabTo(text: string, key = "Tab"): Promise<void> {
    for (let stops = 0; stops < 30; stops++) {
      const before = reader.spoken().length;
      await reader.press(key);
      await expect.poll(() => reader.spoken().slice(before).length).toBeGreaterThan(0);
      await sleep(500);
      if (
        reader
          .spoken()
          .slice(before)
          .some((spoken) => spoken.text.startsWith(text))
      )
        return;
    }
    throw new Error(`The Tab key does not reach ${text}`);
  }

  const worker = { server, proxy, reader, hear, tabTo };
  await expect
    .poll(() =>
      reader
        .spoken()
        .map(({ text }) => text)
        .join("\n"),
    )
    .toMatch(/password/i);
  await hear(async () => {
    await reader.type(server.apiKey);
    await reader.press("Return");
    await expect.poll(() => reader.spoken().map(({ text }) => text)).toContain("107 animals");
  });
  const owned = resources.move();
  return { ...worker, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const statusOf = async ({ server }: Worker, id: number) => {
  const { body } = await server.call(`/pets/${id}`);
  return (body as { status: string }).status;
};

const matching = (lines: readonly string[], text: string) => lines.filter((line) => line.includes(text));

describe("Orca", () => {
  test("speaks once that an animal is reserved, nothing of a second Enter that changes nothing, and once what Undo takes back", async () => {
    await using worker = await startWork();
    const { reader, hear, tabTo } = worker;
    await tabTo("Reserve: Animal 160");
    const first = await hear(async () => {
      await reader.press("Return");
      await expect.poll(() => statusOf(worker, 160)).toBe("pending");
    });
    expect.soft(matching(first, "Animal 160 is now Reserved.")).toHaveLength(1);

    const second = await hear(() => reader.press("Return"));
    const isAdopted = (await statusOf(worker, 160)) === "sold";
    expect.soft(matching(second, "Animal 160 is now Adopted.")).toHaveLength(isAdopted ? 1 : 0);

    await hear(() => tabTo("Undo", "Tab"));
    const undone = await hear(() => reader.press("Return"));
    expect.soft(matching(undone, `Animal 160 is now ${isAdopted ? "Reserved" : "Available"}.`)).toHaveLength(1);
  });

  test("speaks once that a change was rejected, and why", async () => {
    await using worker = await startWork();
    const { proxy, reader, server, hear, tabTo } = worker;
    await tabTo("Reserve: Animal 160");
    const rejected = Promise.withResolvers<void>();
    // The list does not learn of it before the change is rejected.
    proxy.treat = async (request) => {
      if (request.method === "GET") await rejected.promise;
      return request.forward();
    };
    await server.call("/pets/160", { method: "PATCH", body: { status: "sold" } });
    const heard = await hear(async () => {
      await reader.press("Return");
      await expect.poll(() => proxy.requests.some(({ method }) => method === "PATCH")).toBe(true);
      rejected.resolve();
    });
    expect.soft(matching(heard, "Someone else changed it first: it is now Adopted.")).toHaveLength(1);
    expect.soft(heard.join("\n")).toMatch(/Animal 160.*Reserved/);
  });

  test("speaks the title of a dialog, and letters typed at once are in its first field", async () => {
    await using worker = await startWork();
    const { reader, server, hear, tabTo } = worker;
    await tabTo("Add animals", "shift+Tab");
    const opened = await hear(() => reader.press("Return"));
    expect.soft(matching(opened, "Add animals")).toHaveLength(1);
    const typed = await hear(() => reader.type("zed"));
    expect.soft(typed.slice(0, 3)).toEqual(["z", "e", "d"]);
    await hear(() => reader.press("Tab"));
    await hear(() => reader.type("4"));
    await hear(() => reader.press("Return"));
    const { body } = await server.call("/pets?limit=100");
    expect((body as { name: string }[]).map(({ name }) => name)).toContain("zed");
  });

  test("speaks how many animals another list has", async () => {
    await using worker = await startWork();
    const { reader, hear, tabTo } = worker;
    await tabTo("Available", "shift+Tab");
    await hear(() => reader.press("k")); // to the next link
    const heard = await hear(() => reader.press("Return"));
    expect(matching(heard, "53 animals")).toHaveLength(1);
  });
});
