import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { endurance } from "@petstore/test-kit/endurance";
import { eventually } from "@petstore/test-kit/eventually";
import { createKey, serve, settings, type Running } from "@petstore/test-kit/processes";
import { expect, onTestFinished } from "vitest";
import { test } from "./fixtures.ts";
import { startGateway, type Passing } from "./gateway.ts";
import { importDesk, row, rows, stored, summary } from "./import-desk.ts";

/** Some of them equal. */
const animals = [...rows(100), ...rows(30), ...Array.from({ length: 20 }, () => row("Rex"))];

function random(end: number): number {
  return Math.floor(Math.random() * end);
}

/** The content of a server's database, as rows in alphabetical order. */
function openPets(directory: string) {
  const database = new DatabaseSync(join(directory, "petstore.db"), { readOnly: true });
  onTestFinished(() => database.close());
  const pets = database.prepare("SELECT name, category_id AS categoryId FROM pets");
  return () =>
    pets
      .all()
      .map((pet) => JSON.stringify(pet))
      .toSorted();
}

test("0: killed at random moments, an import adds every row once to a database", async ({ directory }) => {
  const apiKey = await createKey(directory);
  await using server = await serve(directory);
  const desk = importDesk({ url: server.url, apiKey }, animals);
  const pets = openPets(directory);

  for (const target of Array.from({ length: endurance(4, 16) }, () => random(animals.length)).toSorted(
    (a, b) => a - b,
  )) {
    await using running = desk.start();
    await eventually(() => pets().length >= target);
    await sleep(random(150)); // any moment, even while it starts
    running.kill("SIGKILL");
  }
  expect(await desk.import()).toMatchObject({ exitCode: 0 });
  expect(pets()).toEqual(animals.toSorted());
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(0, animals.length, 0) });
});

/** The outcome of the request at which the import is killed. */
const moments = {
  "before it arrives": ({ kill }: Moment) => {
    kill();
    return "reset" as const;
  },
  "when it is stored, without a response": async ({ kill, forward }: Moment) => {
    await forward();
    kill();
    return "silence" as const;
  },
  "when it has a response": async ({ kill, forward }: Moment) => {
    const forwarded = await forward();
    setImmediate(kill);
    return forwarded;
  },
};

type Moment = Pick<Passing, "forward"> & { kill: () => void };

test.for(Object.entries(moments))(
  "0: killed at a request, %s, every row is added once",
  async ([, meet], { server }) => {
    let running: Running | undefined;
    let killAt = 0;
    await using gateway = await startGateway(server, ({ number, forward }) =>
      number >= killAt ? meet({ forward, kill: () => running?.kill("SIGKILL") }) : forward(),
    );
    const desk = importDesk(gateway, animals);
    for (let kills = 0; kills < endurance(3, 10); kills++) {
      killAt = gateway.passed.length + 1 + random(20);
      running = desk.start();
      expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
    }
    killAt = Infinity;
    const last = await desk.import();
    expect(last.exitCode).toBe(0);
    const { added, alreadyAdded } = JSON.parse(last.stdout) as Record<string, number>;
    expect(Number(added) + Number(alreadyAdded)).toBe(animals.length);
    expect(await stored(server)).toEqual(animals.toSorted());
  },
);

test("0: the service knows the rows of a run whose journal is lost", async ({ server }) => {
  let running: Running | undefined;
  await using gateway = await startGateway(server, async ({ number, forward }) => {
    if (number === 50) running?.kill("SIGKILL");
    return await forward();
  });
  const desk = importDesk(gateway, animals);
  running = desk.start();
  expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
  const before = (await stored(server)).length;
  expect(before).toBeGreaterThan(40);

  rmSync(join(desk.path, "state"), { recursive: true });
  const second = await desk.import();
  expect(second).toMatchObject({ exitCode: 0, stdout: summary(animals.length - before, before, 0) });
  rmSync(join(desk.path, "state"), { recursive: true });
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(0, animals.length, 0) });
  expect(await stored(server)).toEqual(animals.toSorted());
});

test("0: three runs at the same time add every row once", async ({ server, desk }) => {
  desk.write(animals);
  const ended = await Promise.all([desk.start(), desk.start(), desk.start()].map((running) => running.ended));
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  const summaries = ended.map(({ stdout }) => JSON.parse(stdout) as { added: number; alreadyAdded: number });
  expect(summaries.reduce((sum, { added }) => sum + added, 0)).toBe(animals.length);
  expect(summaries.reduce((sum, { alreadyAdded }) => sum + alreadyAdded, 0)).toBe(2 * animals.length);
  expect(await stored(server)).toEqual(animals.toSorted());
});

test("0: of a fixed file, only new rows are added", async ({ server, desk }) => {
  desk.write([row("Rex"), '{"name":"Bella","categoryId":"7"}', row("Milo"), "oops"]);
  expect(await desk.import()).toMatchObject({ exitCode: 10, stdout: summary(2, 0, 2) });

  // The bad rows are fixed; one is changed, one is inserted, one is removed, and all are in another order.
  desk.write([row("Luna"), row("Milo"), row("Bella", 7), row("Rex", 2)]);
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(3, 1, 0) });
  desk.write([row("Clover"), row("Rex", 2), row("Luna"), row("Rex"), row("Milo"), row("Bella", 7)]);
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(1, 5, 0) });
  const all = [row("Bella", 7), row("Clover"), row("Luna"), row("Milo"), row("Rex"), row("Rex", 2)];
  expect(await stored(server)).toEqual(all.toSorted());
});

test("0: rows that are added are not sent again, unless by another import id", async ({ server }) => {
  await using gateway = await startGateway(server);
  const desk = importDesk(gateway, animals);
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(animals.length, 0, 0) });
  expect(gateway.passed).toHaveLength(animals.length);
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(0, animals.length, 0) });
  expect(gateway.passed).toHaveLength(animals.length);

  const another = ["rows.ndjson", "--import-id", "another"];
  expect(await desk.import(another)).toMatchObject({ exitCode: 0, stdout: summary(animals.length, 0, 0) });
  expect(await desk.import(another)).toMatchObject({ exitCode: 0, stdout: summary(0, animals.length, 0) });
  expect(await stored(server)).toEqual([...animals, ...animals].toSorted());
  expect(new Set(gateway.passed.map(({ key }) => key)).size).toBe(2 * animals.length);
});

test("0: an import continues after its journal was cut off anywhere in its last lines", async ({ server }) => {
  await using gateway = await startGateway(server);
  const desk = importDesk(gateway);
  const added: string[] = [];
  for (const cut of [0, 1, 2, 5, 12, 27, 28, 60]) {
    added.push(row(`animal ${cut}`));
    desk.write(added);
    const sentBefore = gateway.passed.length;
    expect(await desk.import()).toMatchObject({ exitCode: 0 });
    // The new one, and the one whose line was cut off.
    expect(gateway.passed.length - sentBefore).toBeLessThanOrEqual(2);
    const [journal = ""] = readdirSync(desk.journals);
    const path = join(desk.journals, journal);
    truncateSync(path, readFileSync(path).length - cut);
  }
  expect(await stored(server)).toEqual(added.toSorted());
});

test("0: an import continues after its journal was cut off after a brace within a line", async ({ server }) => {
  const desk = importDesk(server, rows(2));
  await desk.import();
  const [journal = ""] = readdirSync(desk.journals);
  appendFileSync(join(desk.journals, journal), '\n# {"baseUrl":"https://host/v1","importId":"/rows{1}');
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(0, 2, 0) });
  expect(await desk.import("clean --all --yes")).toMatchObject({ exitCode: 0 });
});

test("0: a server that is killed and started again gets every row once", async ({ directory }) => {
  const apiKey = await createKey(directory);
  const first = await serve(directory);
  const environment = { ...settings, PETSTORE_PORT: new URL(first.url).port };
  const desk = importDesk({ url: first.url, apiKey }, animals);
  const pets = openPets(directory);

  const impatient = desk.start("rows.ndjson --retries 0");
  await eventually(() => pets().length >= 30);
  first.kill("SIGKILL");
  const stopped = await impatient.ended;
  expect(stopped).toMatchObject({ exitCode: 9, stdout: "" });
  expect(stopped.stderr).toMatch(
    /^note: stopped: \d+ added, 0 added before, 0 rejected\. Run the same command again to continue\nerror: /,
  );

  const second = await serve(directory, { environment });
  const patient = desk.start("rows.ndjson --retries 10");
  await eventually(() => pets().length >= 80);
  second.kill("SIGKILL");
  await second.ended;
  await using third = await serve(directory, { environment });
  expect(await patient.ended).toMatchObject({ exitCode: 0 });
  expect(pets()).toEqual(animals.toSorted());
  expect(third.url).toBe(first.url);
});
