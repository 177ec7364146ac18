import type { Context } from "../context.ts";
import { exitCodes } from "../failure.ts";
import { items, topics, wrap, type Topic } from "../help.ts";
import { definitions } from "../setting-definitions.ts";
import { painter, print } from "../terminal.ts";

type Rows = readonly (readonly [term: string, text: string])[];

const environment: Rows = [
  ["PETSTORE_BASE_URL", "the address of the service, like https://host/v1"],
  ["PETSTORE_API_KEY", "the API key. It needs an address too"],
  ["PETSTORE_PROFILE", "the saved profile to use"],
  ["PETSTORE_OUTPUT", "the output format, see petstore help formatting"],
  ["PETSTORE_TIMEOUT", `how long a request may take, like ${definitions.timeout.fallback}`],
  ["PETSTORE_RETRIES", `how often to retry a request, ${definitions.retries.range}`],
  ["PETSTORE_INSECURE_STORAGE", "save keys in the configuration file, not in the keyring"],
  ["HTTPS_PROXY, HTTP_PROXY", "the proxy for such addresses, like http://host:port"],
  ["NO_PROXY", "hosts without a proxy, separated by commas"],
  ["SSL_CERT_FILE", "a file of certificates to trust in addition to those of Node"],
  ["NODE_EXTRA_CA_CERTS", "the same, for every program that runs on Node"],
  ["PETSTORE_PAGER, PAGER", "the program that shows long lists (default: less)"],
  ["LESS", "options of less (default: FRX)"],
  ["BROWSER", "the program that petstore docs starts"],
  ["FORCE_COLOR, CLICOLOR_FORCE", "use color everywhere, unless 0"],
  ["NO_COLOR, CLICOLOR=0", "use no color"],
  ["XDG_CONFIG_HOME", "the directory of saved settings (default: ~/.config)"],
  ["XDG_STATE_HOME", "the directory of imports (default: ~/.local/state)"],
  ["XDG_CACHE_HOME", "the directory of compiled code, for a faster start (default: ~/.cache)"],
];

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "success",
  unexpected: "unexpected failure",
  usage: "the command line, a setting or a file is wrong",
  rejected: "the service rejected the request",
  authentication: "the API key is missing, not accepted, or lacks the scope",
  notFound: "not found, or the operation was removed",
  conflict: "the animal has another status, or the same request is still in progress",
  rateLimited: "too many requests, after all retries",
  server: "the service failed, after all retries",
  network: "the service cannot be reached, or does not respond in time",
  partialImport: "some rows of an import were not added",
  interrupted: "ended by Ctrl-C",
  terminated: "ended by SIGTERM",
};

const formatting: Rows = [
  ["table", "for people; fits the terminal. The default on a terminal"],
  ["ndjson", "one line of JSON per item; exact. The default in a pipe"],
  ["json", "one JSON document; exact"],
  ["csv", "for spreadsheets; exact numbers, and text that cannot run as a formula"],
];

const texts: Readonly<Record<Topic, { introduction: string; rows: Rows }>> = {
  environment: {
    introduction: "A flag takes precedence over a variable, and a variable over a saved setting.",
    rows: environment,
  },
  "exit-codes": {
    introduction: "The exit code tells a script why a command failed.",
    rows: Object.entries(exitCodes).map(([name, code]) => [String(code), meanings[name as keyof typeof exitCodes]]),
  },
  formatting: {
    introduction: "Choose the output format with --output, PETSTORE_OUTPUT or: petstore config set output FORMAT",
    rows: formatting,
  },
};

export function topicRows(topic: Topic): Rows {
  return texts[topic].rows;
}

export async function printTopic({ terminal }: Pick<Context, "terminal">, topic: Topic): Promise<void> {
  const { stdout } = terminal;
  const width = Math.min(stdout.isTTY === true && stdout.columns ? stdout.columns : 80, 100);
  const { introduction, rows } = texts[topic];
  const heading = painter(terminal, stdout, "auto")("bold", topics[topic].toUpperCase());
  await print(stdout, `${[...wrap(introduction, width), "", heading, ...items(rows, width)].join("\n")}\n`);
}
