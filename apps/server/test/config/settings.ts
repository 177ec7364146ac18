import { BlockList } from "node:net";
import { expect } from "vitest";
import { ConfigError, readConfig, type Config } from "../../src/config.ts";

export const database = { PETSTORE_DATABASE_URL: "sqlite:petstore.db" };

export const defaults: Config = {
  databaseUrl: "sqlite:petstore.db",
  databasePoolSize: 10,
  host: "127.0.0.1",
  port: 8080,
  admin: undefined,
  hasBoard: true,
  boardName: "Petstore",
  categoryNames: new Map(),
  publicUrl: undefined,
  documentedUrl: undefined,
  logLevel: "info",
  corsOrigins: [],
  rateLimit: undefined,
  trustedProxies: expect.any(BlockList) as BlockList,
  historyMs: 400 * 86_400_000,
  drainMs: 500,
  shutdownGraceMs: 25_000,
};

/** One value of each setting. */
export const given = {
  PETSTORE_DATABASE_URL: "postgres://u:s3cret@db1:5432,[::1],db3:5433/petstore?sslmode=verify-full",
  PETSTORE_DATABASE_POOL_SIZE: "1000",
  PETSTORE_HOST: "pets.internal-1",
  PETSTORE_PORT: "65535",
  PETSTORE_ADMIN_HOST: "fe80::1",
  PETSTORE_ADMIN_PORT: "0",
  PETSTORE_BOARD: "off",
  PETSTORE_BOARD_NAME: "🐈".repeat(50),
  PETSTORE_CATEGORY_NAMES: "2=Cats, 1 = Dogs & puppies |Dog",
  PETSTORE_PUBLIC_URL: "http://[::1]:8080/animals/v1",
  PETSTORE_LOG_LEVEL: "silent",
  PETSTORE_CORS_ORIGINS: "https://a.example, http://b:3000",
  PETSTORE_RATE_LIMIT: "600/60s",
  PETSTORE_TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.1, ::1, fd00::/8",
  PETSTORE_HISTORY_DAYS: "1",
  PETSTORE_DRAIN_MS: "0",
  PETSTORE_SHUTDOWN_GRACE_MS: "600000",
};

export const read: Config = {
  databaseUrl: given.PETSTORE_DATABASE_URL,
  databasePoolSize: 1_000,
  host: "pets.internal-1",
  port: 65_535,
  admin: { host: "fe80::1", port: 0 },
  hasBoard: false,
  boardName: given.PETSTORE_BOARD_NAME,
  categoryNames: new Map(Object.entries({ 2: ["Cats"], 1: ["Dogs & puppies", "Dog"] } as const)),
  publicUrl: given.PETSTORE_PUBLIC_URL,
  documentedUrl: given.PETSTORE_PUBLIC_URL,
  logLevel: "silent",
  corsOrigins: ["https://a.example", "http://b:3000"],
  rateLimit: { requests: 600, windowMs: 60_000 },
  trustedProxies: expect.any(BlockList) as BlockList,
  historyMs: 86_400_000,
  drainMs: 0,
  shutdownGraceMs: 600_000,
};

export const databaseForms =
  "must be memory:, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

export const hostForm = "must be a host name or an IP address";

export function problems(
  environment: Record<string, string | undefined>,
  isDevelopment = false,
): readonly string[] {
  try {
    readConfig(environment, isDevelopment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
