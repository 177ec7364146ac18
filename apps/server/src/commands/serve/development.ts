import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scopes, type Pet } from "@petstore/contract";
import { keyState, type Store } from "@petstore/service";
import { hashSecret, isKeyForm, issueKey } from "../../api-key.ts";
import type { Config } from "../../config.ts";

const keyFile = "development.key";

/**
 * Writes the address and the process id of the running server to a file, where a CLI in this
 * checkout finds it. Returns a function that removes it.
 */
export function writeDevelopmentUrl(directory: string, url: string, processId: number): () => void {
  const file = join(directory, "development.url");
  const text = `${url}\n${processId}`;
  writeOwnFile(file, `${text}\n`);
  return () => {
    if (readIfAny(file) === text) rmSync(file); // otherwise another server has replaced it
  };
}

/**
 * Writes a file that only its owner can read. Replaces an existing file instead of writing to it:
 * it may be a link.
 */
function writeOwnFile(file: string, text: string): void {
  const temporary = `${file}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  renameSync(temporary, file);
}

/** Adds sample animals to an empty store, and the development key to any store. Returns the key. */
export async function prepareDevelopment(
  store: Store,
  directory: string,
  now: number,
): Promise<string> {
  const isEmpty = (await store.listPets({ limit: 1 })).length === 0;
  if (isEmpty) await store.importPets(sampleAnimals());

  const file = join(directory, keyFile);
  const text = readIfAny(file);
  const saved = text !== undefined && isKeyForm(text) ? text : undefined;
  const known = saved === undefined ? undefined : await store.findKey(hashSecret(saved));
  if (saved !== undefined && known !== undefined && keyState(known, now) === "active") return saved;

  // A new store gets the saved key. A revoked or expired key is replaced.
  const issued = issueKey({ name: "development", kind: "test", scopes, createdAt: now });
  const secret = saved !== undefined && known === undefined ? saved : issued.secret;
  await store.createKey(issued.key, hashSecret(secret));
  writeOwnFile(file, `${secret}\n`);
  return secret;
}

/** The settings that the text on the terminal depends on. */
type Shown = Pick<Config, "databaseUrl" | "hasBoard">;

/** The text on the terminal once the server runs. */
export function welcome(url: string, config: Shown, directory: string, apiKey: string): string {
  return `
Petstore is running, with its data in ${config.databaseUrl}.

  Base address  ${url}${config.hasBoard ? `\n  Board         ${new URL(`/#key=${apiKey}`, url).href}` : ""}
  Reference     ${new URL("/docs", url).href}
  API key       ${apiKey}  (also in ${join(directory, keyFile)})

Try it:

  curl -H "Authorization: Bearer ${apiKey}" "${url}/pets?limit=3"
  npx pnpm@12 petstore pets list

Stop with Ctrl-C.

`;
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}

/**
 * Twenty dogs, cats, rabbits and birds of every status. They have ids, so that two servers that
 * start together add them once.
 */
function sampleAnimals(): Pet[] {
  const names =
    "Bella,Milo,Clover,Kiwi,Rocky,Luna,Thumper,Sunny,Daisy,Søren,Hazel,Rio,Max,たま,Pepper,Coco,Charlie,Nala,Biscuit,Zazu 🦜";
  const [pending, sold] = [
    new Set(["Kiwi", "Thumper", "Max", "Nala"]),
    new Set(["Rocky", "Hazel", "Coco"]),
  ];
  return names.split(",").map((name, index) => {
    const status = pending.has(name) ? "pending" : sold.has(name) ? "sold" : "available";
    return { id: index + 1, name, categoryId: (index % 4) + 1, status };
  });
}
