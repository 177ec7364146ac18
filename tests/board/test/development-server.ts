import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { petstoreServer } from "@petstore/test-kit/shipped";

/** Animals beside those of a development server: several scripts, long names, and ids that numbers would round. */
const animals = [
  ["14", "Tama", "2", "available"],
  ["20", "Zazu 🦜", "4", "available"],
  ["21", "Mochi", "9223372036854775807", "available"],
  ["22", "ليلى", "5", "pending"],
  ["23", "Мурка", "6", "available"],
  ["24", "Sir Barnaby Fluffington III, Duke of the Windowsill, who answers to the sound of a tin", "7", "available"],
  ["25", "דובי", "8", "sold"],
  ["26", "O’Malley", "9", "available"],
  ["9007199254740993", "Otis", "9007199254740993", "available"],
  ["9223372036854775000", "Juno", "-9223372036854775808", "available"],
] as const;

const names = ["Olive", "Finn", "Poppy", "Gus", "Willow", "Archie", "Ivy", "Bruno", "Maple", "Teddy", "Remy", "Nori"];
const statuses = ["available", "available", "pending", "sold", "available"] as const;

function lines(): string {
  const more = Array.from({ length: 150 }, (_, index) => [
    String(1_000 + index * 37),
    names[(index * 7) % names.length] ?? "",
    String((index * index) % 23),
    statuses[(index * 3) % statuses.length] ?? "available",
  ]);
  return [...animals, ...more]
    .map(
      ([id, name, category, status]) =>
        `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${category},"status":"${status}"}\n`,
    )
    .join("");
}

export interface DevelopmentServer extends AsyncDisposable {
  /** The address of the board. */
  url: string;
  apiKey: string;
}

/** Starts a development server in a directory, with animals that are hard to lay out. */
export async function startDevelopmentServer(directory: string): Promise<DevelopmentServer> {
  const server = spawn(process.execPath, [petstoreServer, "serve", "--dev"], {
    cwd: directory,
    env: { ...process.env, PETSTORE_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await printedAddress(server.stdout);
  const options = { cwd: directory, input: lines(), encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(
    process.execPath,
    [petstoreServer, "import", "--dev", "--replace", "pets", "-"],
    options,
  );
  if (status !== 0) throw new Error(`The animals were not imported: ${stderr}`);
  return {
    url,
    apiKey: readFileSync(join(directory, ".data/development.key"), "utf8").trim(),
    async [Symbol.asyncDispose]() {
      server.kill();
      if (server.exitCode === null) await once(server, "exit");
    },
  };
}

async function printedAddress(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, address] = /(http:\/\/\S+\/)v1\b/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error("The server ended without printing its address");
}
