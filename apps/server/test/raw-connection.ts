import { connect } from "node:net";
import { errors, type ErrorCode } from "@petstore/contract";
import { expect } from "vitest";
import { parseAnswers, type RawAnswer } from "./answer-text.ts";
import type { TestServer } from "./start-server.ts";

/**
 * Writes to a new connection, each character a byte, and reads until the server closes it. Rejects when the connection is reset,
 * or still open after three silent seconds, or when what came is anything but whole answers.
 */
export async function exchange(port: number, bytes: string): Promise<RawAnswer[]> {
  const received = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
    socket.setTimeout(3_000, () => socket.destroy(new Error(`The connection is still open after: ${text}`)));
    socket.once("error", reject);
    socket.once("end", () => socket.destroy());
    socket.once("close", () => resolve(text));
  });
  return parseAnswers(received);
}

/** Asserts that `answer` is an error as the service words them, with all that every answer carries. */
export function expectError(answer: RawAnswer | undefined, code: ErrorCode): void {
  const status = errors[code].status;
  expect(answer).toMatchObject({
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.stringMatching(/^[\w.-]{1,64}$/),
      date: expect.any(String),
    },
  });
  expect(JSON.parse(answer?.body ?? "")).toStrictEqual({ code, message: expect.any(String), status });
}

/** Asserts that a server goes on answering, holds `count` animals and has failed at nothing. */
export async function expectUnharmed(server: TestServer, count = 0): Promise<void> {
  const { status, body } = await server.call("/pets?limit=100");
  expect(status).toBe(200);
  expect(body).toHaveLength(count);
  expect(server.logs.filter(({ level }) => Number(level) > 30)).toStrictEqual([]);
}
