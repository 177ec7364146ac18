import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { installed } from "@petstore/test-kit/programs";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { binary } from "./binary.ts";
import { petstore } from "./petstore.ts";
import { startInTerminal, type TerminalSession } from "./terminal-session.ts";

/** A person at a shell that completes `petstore` command lines with the script for that shell. */
export interface Shell extends AsyncDisposable {
  session: TerminalSession;
  /** The working directory. */
  directory: string;
  /** Goes to the end of the line, deletes it, and clears the screen. */
  clear(): Promise<void>;
}

/** The shells of a pseudo-terminal that there is a script for. */
const shellNames = ["bash", "zsh", "fish"] as const;
type ShellName = (typeof shellNames)[number];

/** The shells of this machine. */
export const installedShells = shellNames.filter((name) => installed(name).length > 0);

type Files = Record<string, string>;

/** The instructions in the comments of the scripts, and a screen with only a plain prompt. */
const startupFiles: Readonly<Record<ShellName, (script: string) => Files>> = {
  bash: () => ({
    ".bashrc": [
      "PS1='> '",
      "bind 'set bell-style none'",
      "bind 'set show-all-if-ambiguous on'",
      "source <(petstore completion bash)",
    ].join("\n"),
  }),
  zsh: () => ({
    ".zshrc": ["PS1='> '", "autoload -Uz compinit", "compinit -u -D", "source <(petstore completion zsh)"].join("\n"),
  }),
  fish: (script) => ({
    ".config/fish/config.fish": [
      "function fish_prompt; echo '> '; end",
      "set fish_greeting",
      "set fish_autosuggestion_enabled 0",
    ].join("\n"),
    ".config/fish/completions/petstore.fish": script,
  }),
};

/** Starts a shell in a directory with some files, whose names it must quote. */
export async function startShell(name: ShellName): Promise<Shell> {
  const home = temporaryDirectory();
  const directory = join(home.path, "work");
  const { stdout: script } = await petstore(["completion", name]);
  const files = {
    ...startupFiles[name](script),
    ".config/petstore/config.json": '{"profiles": {"staging": {}, "stable": {}, "live": {}}}',
    "work/two words.ndjson": "",
    "work/other.json": "",
    "work/a directory/inner.json": "",
  };
  for (const [path, text] of Object.entries(files)) write(join(home.path, path), text);
  const command = `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`;
  write(join(home.path, "bin", "petstore"), command, 0o755);

  const session = startInTerminal(name, name === "bash" ? ["--rcfile", join(home.path, ".bashrc")] : [], {
    directory,
    columns: 120,
    rows: 40,
    environment: {
      HOME: home.path,
      PATH: `${join(home.path, "bin")}${delimiter}${process.env["PATH"]}`,
      LANG: "C.UTF-8",
    },
  });
  await session.shows(/^>$/);
  return {
    session,
    directory,
    async clear() {
      // Not Ctrl-C: the terminal drops text typed around it.
      session.type("\x05\x15\x0c");
      await session.shows(/^>$/);
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      home[Symbol.dispose]();
    },
  };
}

function write(path: string, text: string, mode?: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}
