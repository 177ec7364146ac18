import type { installed } from "@petstore/test-kit/programs";
import type { ProxyName } from "./proxies.ts";

/** Kinds of requests that a proxy may treat differently. */
export const kinds = ["GET", "DELETE", "DELETE with a key", "POST", "POST with a key"] as const;
export type Kind = (typeof kinds)[number];

/**
 * How often a request arrives if the server always closes the connection without an answer: once
 * where nothing is said.
 */
export type Repeated = Partial<Record<Kind, number>>;

/** What a proxy does with the configuration of the page. The table of the page says the same. */
export interface Facts {
  program: Parameters<typeof installed>[0];
  /** In Debian 12. */
  version: string;
  /**
   * The status when the server closes a new connection without an answer, and a kept one: some then
   * only close theirs.
   */
  closed: { fresh: number; kept: number | "no answer" };
  /** The status when the server is not running. */
  stopped: number;
  /**
   * Whether it passes on the first request after the server is back. The others wait for some
   * seconds.
   */
  isBackAtOnce: boolean;
  repeated: { fresh: Repeated; kept: Repeated };
  keepsConnections: boolean;
  /** Whether it closes idle connections by itself, and not only when the next request comes. */
  closesIdle: boolean;
  /** Whether the client gets a 413 before it has sent the whole body. */
  is413Early: boolean;
  /** What it makes of a 413, if the client sends the rest of the body more than a second later. */
  late413: 413 | 502 | 503;
  chunkedAs: "chunked" | "with its length";
}

const deleteToo = { GET: 2, DELETE: 2, "DELETE with a key": 2 };
const once: Repeated = {};

export const facts: Record<ProxyName, Facts> = {
  nginx: {
    program: "nginx",
    version: "1.22",
    closed: { fresh: 503, kept: 503 },
    stopped: 503,
    isBackAtOnce: true,
    repeated: {
      fresh: { ...deleteToo, "POST with a key": 2 },
      kept: { ...deleteToo, "POST with a key": 2 },
    },
    keepsConnections: true,
    closesIdle: true,
    is413Early: false,
    late413: 413,
    chunkedAs: "with its length",
  },
  Caddy: {
    program: "caddy",
    version: "2.6",
    closed: { fresh: 502, kept: 502 },
    stopped: 502,
    isBackAtOnce: true,
    repeated: { fresh: once, kept: { GET: 2, "DELETE with a key": 2 } },
    keepsConnections: true,
    closesIdle: true,
    is413Early: false,
    late413: 413,
    chunkedAs: "chunked",
  },
  HAProxy: {
    program: "haproxy",
    version: "2.6",
    closed: { fresh: 502, kept: "no answer" },
    stopped: 503,
    isBackAtOnce: true,
    repeated: { fresh: once, kept: once },
    keepsConnections: true,
    closesIdle: true,
    is413Early: true,
    late413: 413,
    chunkedAs: "chunked",
  },
  Apache: {
    program: "apache2",
    version: "2.4",
    closed: { fresh: 502, kept: "no answer" },
    stopped: 503,
    isBackAtOnce: true,
    repeated: { fresh: once, kept: once },
    keepsConnections: true,
    closesIdle: false,
    is413Early: false,
    late413: 502,
    chunkedAs: "with its length",
  },
  Varnish: {
    program: "varnishd",
    version: "7.1",
    closed: { fresh: 503, kept: 503 },
    stopped: 503,
    isBackAtOnce: true,
    repeated: { fresh: once, kept: deleteToo },
    keepsConnections: true,
    closesIdle: true,
    is413Early: false,
    late413: 503,
    chunkedAs: "chunked",
  },
  lighttpd: {
    program: "lighttpd",
    version: "1.4",
    closed: { fresh: 500, kept: 500 },
    stopped: 503,
    isBackAtOnce: false,
    repeated: { fresh: once, kept: once },
    keepsConnections: false,
    closesIdle: true,
    is413Early: false,
    late413: 413,
    chunkedAs: "with its length",
  },
  nghttpx: {
    program: "nghttpx",
    version: "1.52",
    closed: { fresh: 502, kept: 502 },
    stopped: 502,
    isBackAtOnce: false,
    repeated: { fresh: once, kept: once },
    keepsConnections: true,
    closesIdle: true,
    is413Early: true,
    late413: 413,
    chunkedAs: "chunked",
  },
  "Traffic Server": {
    program: "traffic_server",
    version: "9.2",
    closed: { fresh: 502, kept: 502 },
    stopped: 502,
    isBackAtOnce: true,
    repeated: { fresh: { GET: 4 }, kept: { GET: 4 } },
    keepsConnections: false,
    closesIdle: true,
    is413Early: true,
    late413: 413,
    chunkedAs: "chunked",
  },
  Squid: {
    program: "squid",
    version: "5.7",
    closed: { fresh: 502, kept: 502 },
    stopped: 503,
    isBackAtOnce: true,
    repeated: { fresh: once, kept: deleteToo },
    keepsConnections: true,
    closesIdle: true,
    is413Early: true,
    late413: 413,
    chunkedAs: "with its length",
  },
};

export const names = Object.keys(facts) as ProxyName[];

/** The cells of a row of the page. */
export function cellsOf(name: ProxyName): string[] {
  const {
    version,
    closed,
    stopped,
    isBackAtOnce,
    repeated,
    keepsConnections,
    is413Early,
    late413,
    chunkedAs,
  } = facts[name];
  return [
    `[${name}](#${name.toLowerCase().replace(" ", "-")}) ${version}`,
    closed.kept === closed.fresh ? String(closed.fresh) : `${closed.fresh}, or ${closed.kept}`,
    isBackAtOnce ? String(stopped) : `${stopped}, seconds longer`,
    describe(repeated.fresh),
    keepsConnections ? describe(repeated.kept) : "keeps none",
    (is413Early ? "at once" : "after the body") + (late413 === 413 ? "" : `, as ${late413}`),
    chunkedAs,
  ];
}

function describe(repeated: Repeated): string {
  const named = kinds.filter((kind) => {
    const plain = kind.replace(" with a key", "") as Kind;
    return repeated[kind] !== undefined && (plain === kind || repeated[plain] === undefined);
  });
  const texts = named.map((kind) =>
    repeated[kind] === 2 ? kind : `${kind}, ${(repeated[kind] ?? 1) - 1} times`,
  );
  return texts.length === 0 ? "nothing" : texts.join(", ");
}
