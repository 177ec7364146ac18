import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { defaults, problems } from "./settings.ts";

describe("--dev", () => {
  test("needs no settings, and accepts memory: instead of its own database", () => {
    const config = readConfig({}, true);
    const names = Object.entries({ 1: ["Dogs"], 2: ["Cats"], 3: ["Rabbits"], 4: ["Birds"] });
    const categoryNames = new Map(names); // of the sample animals
    const documentedUrl = "http://127.0.0.1:8080/v1"; // and links are relative
    expect(config).toEqual({
      ...defaults,
      databaseUrl: "sqlite:.data/petstore.db",
      drainMs: 0,
      categoryNames,
      documentedUrl,
    });
    expect(readConfig({ PETSTORE_DATABASE_URL: "memory:" }, true).databaseUrl).toBe("memory:");
  });

  test("rejects any other database, which its key would open", () => {
    expect(() => readConfig({ PETSTORE_DATABASE_URL: "sqlite:production.db" }, true)).toThrow(
      "PETSTORE_DATABASE_URL must be memory:, sqlite:.data/petstore.db or unset with --dev, because the development key opens it",
    );
  });

  test.each(["127.0.0.1", "127.1.2.3", "localhost", "::1"])("listens on %s", (host) => {
    expect(readConfig({ PETSTORE_HOST: host }, true).host).toBe(host);
  });

  test.each(["127.0.0.1", "127.1.2.3", "localhost", "::1"])(
    "documents no address of a free port of %s",
    (host) => {
      const { documentedUrl } = readConfig({ PETSTORE_HOST: host, PETSTORE_PORT: "0" }, true);
      expect(documentedUrl).toBeUndefined();
    },
  );

  test.each([
    "0.0.0.0",
    "::",
    "192.168.0.1",
    "127.0.0.1.example",
    "localhost.example",
    "127.1",
    "pets",
  ])("does not listen on %s, which others may reach", (host) => {
    expect(problems({ PETSTORE_HOST: host, PETSTORE_PORT: "x" }, true)).toEqual([
      "PETSTORE_PORT must be a whole number from 0 to 65535",
      "PETSTORE_HOST must be a loopback address with --dev, which serves this machine only",
    ]);
  });
});
