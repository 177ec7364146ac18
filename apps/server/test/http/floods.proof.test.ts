import { connect } from "node:net";
import { referenceProgram } from "@petstore/test-servers/reference-files";
import { describe, expect, onTestFinished } from "vitest";
import { boardFiles } from "../support/board-files.ts";
import { parseMetrics } from "../support/metrics-text.ts";
import { test } from "../support/petstore.ts";

const mebibyte = 1024 * 1024;

const program = "the program of /docs";

const connections = 1_000;

/** What anyone can ask for without a key. */
const targets = [
  "/",
  "/help",
  "/help.de",
  "/docs",
  program,
  ...boardFiles.keys(),
  "/v1/openapi.json",
  "/v1/pets",
  "/nothing",
];

const browser = "Accept: text/html\r\n";

describe.each(targets)("%s", (name) => {
  // Without a request, a process has about 115 MiB.
  test.for([
    [200, "unread, without gzip", 1, browser],
    [200, "unread, with gzip", 1, `${browser}Accept-Encoding: gzip\r\n`],
    [240, "pipelined and unread", 99, browser],
  ] as const)(
    "at most %d MiB for requests of 1,000 connections that are %s",
    async ([mebibytes, , requests, headers], { petstore }) => {
      // Each flood has a server of its own: memory that one took would hide that of the next.
      await using server = await petstore.serve({ PETSTORE_ADMIN_PORT: "0" });
      const target = name === program ? await referenceProgram(server.url) : name;
      const port = Number(new URL(server.url).port);
      const metric = async (metricName: string) =>
        parseMetrics((await server.ask("/metrics")).text).value(metricName);

      const sockets = Array.from({ length: connections }, () => {
        const socket = connect(port, "127.0.0.1").pause();
        socket.on("error", () => {}); // the server may reset it
        socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`.repeat(requests));
        return socket;
      });
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy();
      });
      // Each connection has a response that is written, or written as far as the kernel takes it.
      await expect
        .poll(
          async () =>
            (await metric("http_server_request_duration_seconds_count")) +
            (await metric("http_server_active_requests")),
        )
        .toBeGreaterThanOrEqual(connections);
      expect((await metric("process_resident_memory_bytes")) / mebibyte).toBeLessThan(mebibytes);
      // Somebody who reads is served.
      const response = await fetch(new URL(target, server.url), {
        headers: { Accept: "text/html" },
      });
      await response.arrayBuffer();
      expect(response.status).toBeLessThan(500);
    },
  );
});
