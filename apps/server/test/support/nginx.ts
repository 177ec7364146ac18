import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { onFreePort } from "@petstore/test-kit/free-port";
import { start, temporaryDirectory } from "@petstore/test-servers/processes";

/** The configuration that operators copy. */
export const shipped = read("deploy/nginx.conf");

export interface Nginx extends AsyncDisposable {
  /** The ports for HTTPS and for HTTP. */
  port: number;
  plainPort: number;
}

/** nginx in front of two servers, with the shipped configuration, or a changed one. */
export async function startNginx(
  program: string,
  ports: readonly [number, number],
  configuration = shipped,
): Promise<Nginx> {
  const temporary = temporaryDirectory();
  const directory = temporary.path;
  const [key, certificate] = [join(directory, "key.pem"), join(directory, "certificate.pem")];
  const newCertificate =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=petstore.example";
  execFileSync("openssl", [...newCertificate.split(" "), "-keyout", key, "-out", certificate], {
    stdio: "pipe",
  });
  const http = configuration
    .replace("127.0.0.1:8080", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:8081", `127.0.0.1:${ports[1]}`)
    .replace("/etc/ssl/petstore.pem", `"${certificate}"`)
    .replace("/etc/ssl/private/petstore.key", `"${key}"`);
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = kinds.map((name) => `${name}_temp_path "${directory}/${name}";`);
  const file = join(directory, "nginx.conf");
  const complete = `${process.getuid?.() === 0 ? "user root;\n" : ""}daemon off;\npid "${directory}/pid";\nerror_log stderr notice;
events {}\nhttp {\naccess_log off;\n${paths.join("\n")}\n${http}}\n`;
  const { running, ...listening } = await onFreePort(async (port) =>
    onFreePort(async (plainPort) => {
      const listen = complete
        .replace("listen 443 ", `listen 127.0.0.1:${port} `)
        .replace("listen 80;", `listen 127.0.0.1:${plainPort};`);
      writeFileSync(file, listen);
      const started = start(program, ["-p", directory, "-e", "stderr", "-c", file], { directory });
      await started.printed(/start worker process /, "stderr");
      return { port, plainPort, running: started };
    }),
  );
  return {
    ...listening,
    async [Symbol.asyncDispose]() {
      running.kill("SIGTERM"); // it ends its worker
      await running.ended;
      temporary[Symbol.dispose]();
    },
  };
}
