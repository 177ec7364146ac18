import {
  copyFileSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { Ledger } from "../support/ledger.ts";
import { test as base, type Petstore } from "../support/petstore.ts";

/** How many writes are acknowledged between two faults. */
const some = 150;

const pageSize = 4_096;

/** A database in a folder of its own, and a ledger. */
const test = base
  .extend("folder", ({ petstore }) => {
    mkdirSync(petstore.path("data"));
    return petstore.path("data");
  })
  .extend("file", ({ folder }) => `${folder}/petstore.db`)
  .extend("onDisk", ({ petstore, file }) => petstore.on(`sqlite:${file}`))
  .extend("ledger", async ({ onDisk }) => await Ledger.open(onDisk));

test("503 while the file is moved away, then replaced, then its folder moved; nothing is lost once it is put back", async ({
  folder,
  file,
  onDisk,
  ledger,
}) => {
  const replace = (): void => {
    renameSync(file, `${file}.old`);
    copyFileSync(`${file}.old`, file);
  };
  const faults: [harm: () => void, undo: () => void][] = [
    [() => renameSync(file, `${file}.old`), () => renameSync(`${file}.old`, file)],
    [replace, () => renameSync(`${file}.old`, file)],
    [() => renameSync(folder, `${folder}.old`), () => renameSync(`${folder}.old`, folder)],
  ];
  await using server = await onDisk.serve();
  await ledger.writeWhile(server, async () => {
    for (const [harm, undo] of faults) {
      await ledger.acknowledges(some);
      harm();
      await ledger.rejects();
      undo();
    }
    await ledger.acknowledges(some);
  });
  await ledger.settle(server);
  await ledger.expectKept();
});

test.for([
  ["the log and its index are", "-wal", "-shm"],
  ["the log is", "-wal"],
] as const)(
  "503 once %s deleted; nothing is lost after a stop and a start",
  async ([, ...endings], { file, onDisk, ledger }) => {
    {
      await using server = await onDisk.serve();
      await ledger.writeWhile(server, async () => {
        await ledger.acknowledges(some);
        for (const ending of endings) rmSync(file + ending);
        await ledger.rejects();
      });
      await server.stop();
    }
    await using server = await onDisk.serve();
    await ledger.settle(server);
    await ledger.writeWhile(server, () => ledger.acknowledges(some));
    await ledger.settle(server);
    await ledger.expectKept();
  },
);

/**
 * The pages of which the log has newer ones that are not yet in the file: see
 * https://www.sqlite.org/walformat.html
 */
function pagesInLog(file: string): number[] {
  const log = readFileSync(`${file}-wal`);
  const copied = readFileSync(`${file}-shm`).readUInt32LE(96); // how many frames are in the file
  const pages = new Set<number>();
  const salt = log.subarray(16, 24);
  for (let frame = 0, at = 32; at + 24 + pageSize <= log.length; frame++, at += 24 + pageSize) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) break; // of an earlier round
    if (frame >= copied) pages.add(log.readUInt32BE(at));
  }
  return [...pages];
}

test("nothing is lost when three pages are zeroed of which the log has newer ones", async ({
  file,
  onDisk,
  ledger,
}) => {
  await using server = await onDisk.serve();
  let pages: number[] = [];
  while (pages.length < 3) {
    await ledger.writeWhile(server, () => ledger.acknowledges(some));
    pages = pagesInLog(file).slice(0, 3);
  }
  const descriptor = openSync(file, "r+");
  for (const page of pages)
    writeSync(descriptor, Buffer.alloc(pageSize), 0, pageSize, (page - 1) * pageSize);
  closeSync(descriptor);
  // Long enough for the log to be copied into the file.
  await ledger.writeWhile(server, () => ledger.acknowledges(4 * some));
  await ledger.settle(server);
  expect((await server.stop()).exitCode).toBe(0);
  await expectExit(0, onDisk.run("doctor"), { stdout: "There is nothing to fix.\n" });
  await ledger.expectKept();
});

/**
 * Makes a backup, does harm to the file, and returns once all writes get 503 and the server is
 * stopped.
 */
async function harmAfterBackup(onDisk: Petstore, ledger: Ledger, harm: () => void): Promise<void> {
  await using server = await onDisk.serve();
  await ledger.writeWhile(server, () => ledger.acknowledges(some));
  await ledger.settle(server);
  await expectExit(0, onDisk.run("backup copy.db"));
  harm();
  await ledger.writeWhile(server, () => ledger.rejects());
  await server.stop();
}

test("503 once a backup is copied over the file; then the backup is served, and nothing is lost", async ({
  petstore,
  file,
  onDisk,
  ledger,
}) => {
  await harmAfterBackup(onDisk, ledger, () => copyFileSync(petstore.path("copy.db"), file));
  await expectExit(65, onDisk.run("keys list"), { stderr: /was copied over another database/ });
  renameSync(`${file}-wal`, petstore.path("log"));
  await using server = await onDisk.serve();
  await ledger.settle(server);
  await ledger.writeWhile(server, () => ledger.acknowledges(some));
  await ledger.settle(server);
  await ledger.expectKept();
});

test("503 once the file is truncated, and 65 for the next start; nothing is lost after its backup is restored", async ({
  petstore,
  folder,
  file,
  onDisk,
  ledger,
}) => {
  await harmAfterBackup(onDisk, ledger, () => truncateSync(file, 2 * pageSize));
  await expectExit(65, onDisk.run("serve"), {
    stderr: /^petstore-server: \S+petstore\.db .+: restore a backup\n$/,
  });
  renameSync(folder, `${folder}.damaged`);
  mkdirSync(folder);
  await expectExit(0, onDisk.run(["restore", petstore.path("copy.db")]));
  await using server = await onDisk.serve();
  await ledger.settle(server);
  await ledger.writeWhile(server, () => ledger.acknowledges(some));
  await ledger.settle(server);
  await ledger.expectKept();
});
