import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { eventually } from "@petstore/test-kit/eventually";
import { onFreePort } from "@petstore/test-kit/free-port";
import { postgresUser as user } from "@petstore/test-postgres/postgres-programs";
import { start, temporaryDirectory } from "@petstore/test-servers/processes";
import { shipped, startNginx } from "./nginx.ts";

/** A proxy in front of a server. */
export interface Proxy extends AsyncDisposable {
  origin: string;
}

/** Changes what the page says: a test may want another time, or show why a line is there. */
export type Change = (text: string) => string;

/** Starts the program of a proxy in front of the server on a port. */
export type StartProxy = (program: string, serverPort: number, change?: Change) => Promise<Proxy>;

/** How a process is started. */
interface Invocation {
  /** By their path in the directory of the process. */
  files: Record<string, string>;
  args: readonly string[];
  environment?: Record<string, string>;
}

interface Place {
  port: number;
  directory: string;
}

/** The blocks below a heading of the page, which operators copy. */
function documented(heading: string): string[] {
  const [, section = ""] =
    new RegExp(`^### ${heading}\n([^]*?)(?=^#|(?![^]))`, "m").exec(read("docs/proxies.md")) ?? [];
  return [...section.matchAll(/^```text\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
}

/** What to start with the blocks of the page, which are in front of the right server. */
type Arrange = (place: Place, ...blocks: string[]) => Invocation;

function startAs(heading: string, arrange: Arrange): StartProxy {
  return async (program, serverPort, change = (text) => text) => {
    const temporary = temporaryDirectory();
    const blocks = documented(heading).map((block) =>
      change(block).replaceAll(/\b8080\b/g, String(serverPort)),
    );
    const { path: directory } = temporary;
    give(directory);
    const { running, port } = await onFreePort(async (free) => {
      const { files, args, environment = {} } = arrange({ port: free, directory }, ...blocks);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(directory, name, ".."), { recursive: true });
        writeFileSync(join(directory, name), text);
        give(join(directory, name, ".."));
      }
      const PATH = "/usr/sbin:/usr/bin:/sbin:/bin"; // Varnish compiles its configuration
      const started = start(program, args, {
        directory,
        user,
        environment: { PATH, HOME: directory, ...environment },
      });
      await listening(free, started);
      return { running: started, port: free };
    });
    return {
      origin: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        running.kill("SIGTERM"); // it ends its children
        await running.ended;
        temporary[Symbol.dispose]();
      },
    };
  };
}

/** They do not run as root, and Squid and Traffic Server read nothing that only root may read. */
function give(directory: string): void {
  chmodSync(directory, 0o755);
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
}

/** Waits until a process accepts connections. */
async function listening(port: number, process: ReturnType<typeof start>): Promise<void> {
  const ended = process.ended.then(({ stdout, stderr }) => {
    throw new Error(`It ended before it listened:\n${stdout}${stderr}`);
  });
  await Promise.race([ended, eventually(() => accepts(port))]);
  void ended.catch(() => {});
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** The text of a configuration. */
function lines(...parts: readonly string[]): string {
  return parts.map((part) => `${part}\n`).join("");
}

const modules = ["mpm_event", "authz_core", "proxy", "proxy_http"].map(
  (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
);

/** By the heading of the page. */
export const starts = {
  nginx: async (program, port, change = (text) => text) => {
    const nginx = await startNginx(program, [port, port], change(shipped));
    return {
      origin: `https://127.0.0.1:${nginx.port}`,
      [Symbol.asyncDispose]: () => nginx[Symbol.asyncDispose](),
    };
  },
  Caddy: startAs("Caddy", ({ port }, site = "") => ({
    files: {
      Caddyfile: lines(
        "{",
        "admin off",
        "}",
        site.replace("petstore.example {", `http://127.0.0.1:${port} {`),
      ),
    },
    args: ["run", "--config", "Caddyfile"],
  })),
  HAProxy: startAs("HAProxy", ({ port }, text = "") => ({
    files: { "haproxy.cfg": text.replace(/bind .*/, `bind 127.0.0.1:${port}`) },
    args: ["-db", "-f", "haproxy.cfg"],
  })),
  Apache: startAs("Apache", ({ port, directory }, text = "") => ({
    files: {
      "apache2.conf": lines(
        "ServerName petstore.example",
        `Listen 127.0.0.1:${port}`,
        ...modules,
        text,
        `PidFile ${directory}/pid`,
        `DefaultRuntimeDir ${directory}`,
        `Mutex file:${directory}`,
        `ErrorLog ${directory}/log`,
      ),
    },
    args: ["-D", "FOREGROUND", "-f", join(directory, "apache2.conf")],
  })),
  Varnish: startAs("Varnish", ({ port, directory }, vcl = "", options = "") => ({
    files: { "petstore.vcl": vcl },
    args: [
      `-F -a 127.0.0.1:${port} -f ${directory}/petstore.vcl`,
      `-n ${directory}/work -s malloc,16m`,
      options.trim(),
    ].flatMap((part) => part.split(" ")),
  })),
  lighttpd: startAs("lighttpd", ({ port, directory }, text = "") => ({
    files: {
      "lighttpd.conf": lines(
        'server.bind = "127.0.0.1"',
        `server.port = ${port}`,
        `server.document-root = "${directory}"`,
        `server.upload-dirs = ("${directory}")`,
        text,
      ),
    },
    args: ["-D", "-f", "lighttpd.conf"],
  })),
  nghttpx: startAs("nghttpx", ({ port }, text = "") => ({
    files: {
      "nghttpx.conf": lines(`frontend=127.0.0.1,${port};no-tls`, "workers=1", text),
    },
    args: ["--conf=nghttpx.conf", "--errorlog-file=/dev/stderr", "--accesslog-file=/dev/null"],
  })),
  "Traffic Server": startAs(
    "Traffic Server",
    ({ port, directory }, records = "", remap = "", allowed = "") => ({
      files: {
        "etc/records.config": lines(
          `CONFIG proxy.config.http.server_ports STRING ${port}:ip-in=127.0.0.1`,
          records,
        ),
        "etc/remap.config": remap,
        "etc/ip_allow.yaml": allowed,
        "etc/storage.config": "",
        "var/empty": "",
        "run/empty": "",
        "log/empty": "",
        "runroot.yaml": lines(
          `prefix: ${directory}`,
          "exec_prefix: /usr",
          "bindir: /usr/bin",
          "sbindir: /usr/bin",
          `sysconfdir: ${directory}/etc`,
          `datadir: ${directory}/var`,
          "includedir: /usr/include",
          "libdir: /usr/lib",
          "libexecdir: /usr/lib/trafficserver/modules",
          `localstatedir: ${directory}/var`,
          `runtimedir: ${directory}/run`,
          `logdir: ${directory}/log`,
          `cachedir: ${directory}/var`,
        ),
      },
      args: [`--run-root=${directory}/runroot.yaml`],
    }),
  ),
  Squid: startAs("Squid", ({ port, directory }, text = "") => ({
    files: {
      "squid.conf": lines(
        `http_port 127.0.0.1:${port} accel defaultsite=petstore.example`,
        text,
        "visible_hostname petstore.example",
        "pid_filename none",
        "access_log none",
        `cache_log ${directory}/cache.log`,
        `coredump_dir ${directory}`,
        "netdb_filename none",
        "pinger_enable off",
        "shutdown_lifetime 0 seconds",
      ),
    },
    args: ["-N", "-f", join(directory, "squid.conf")],
  })),
} as const satisfies Record<string, StartProxy>;

export type ProxyName = keyof typeof starts;
