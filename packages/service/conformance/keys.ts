import type { ApiKey, StoredKey } from "@petstore/service";
import { describe, expect } from "vitest";
import { expectConflict, type createStoreTest } from "./store-test.ts";

const key: ApiKey = {
  id: "key_a",
  name: "shop",
  kind: "live",
  scopes: ["read", "orders"],
  createdAt: 1_000,
};
const full: ApiKey = {
  ...key,
  id: "key_b",
  kind: "test",
  scopes: [],
  expiresAt: 5_000,
  revokedAt: 4_000,
};

/** Tests for API keys and rate limits. */
export function testKeysAndRequests(name: string, test: ReturnType<typeof createStoreTest>): void {
  describe(`${name}: API keys`, () => {
    test("are found by the hash of the secret, even if revoked or expired, and listed oldest first", async ({
      store,
    }) => {
      for (const [index, createdAt] of [3_000, 1_000, 2_000, 1_000].entries())
        await store.createKey({ ...full, id: `key_${index}`, createdAt }, hash(index));
      expect((await store.listKeys()).map(({ id }) => id)).toEqual([
        "key_1",
        "key_3",
        "key_2",
        "key_0",
      ]);
      expect(await store.findKey(hash(2))).toEqual({ ...full, id: "key_2", createdAt: 2_000 });
      expect(await store.findKey(hash(4))).toBeUndefined();
    });

    test("keep the time of their first revocation, and only known ones can be revoked", async ({
      store,
    }) => {
      await store.createKey(key, hash(1));
      await store.createKey({ ...key, id: "key_b" }, hash(2));
      expect(await store.findKey(hash(1))).toEqual(key); // the store may cache this
      expect(await store.revokeKey("key_c", 2_000)).toBe(false);
      expect(await store.revokeKey("key_a", 2_000)).toBe(true);
      expect(await store.revokeKey("key_a", 3_000)).toBe(true);
      expect(await store.findKey(hash(1))).toEqual({ ...key, revokedAt: 2_000 });
      expect((await store.findKey(hash(2)))?.revokedAt).toBeUndefined();
      expect((await store.exportKeys())[0]).toEqual({ ...key, revokedAt: 2_000, hash: hash(1) });
    });
  });

  describe(`${name}: import of API keys`, () => {
    const stored: StoredKey = { ...full, hash: hash(2) };
    const other: StoredKey = { ...key, hash: hash(1) };

    test("keeps every field, and the order of keys of equal age, and skips equal keys", async ({
      store,
    }) => {
      const keys: StoredKey[] = [
        { ...key, hash: "fedcba98".repeat(8) },
        stored,
        {
          ...other,
          id: "key_0",
          name: `O'Hara "; --`,
          scopes: ["orders", "read"],
          createdAt: 8_640_000_000_000,
        },
      ];
      expect(await store.importKeys(keys.slice(0, 2))).toEqual({
        stored: 2,
        changed: 0,
        skipped: 0,
      });
      expect(await store.importKeys([...keys.slice(1), ...keys.slice(2)])).toEqual({
        stored: 1,
        changed: 0,
        skipped: 2,
      });
      expect(await store.exportKeys()).toEqual(keys);
      expect((await store.listKeys()).map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
      expect(await store.findKey(hash(2))).toEqual(full);
    });

    test("with any field changed is a conflict and stores nothing", async ({ store }) => {
      const changes: Partial<StoredKey>[] = [
        { hash: hash(3) },
        { id: "key_c" },
        { name: "other" },
        { kind: "live" },
        { scopes: ["read"] },
        { createdAt: 999 },
        { expiresAt: undefined },
      ];
      await store.createKey(full, hash(2));
      for (const change of changes) {
        const changed = { ...stored, ...change };
        await expectConflict(store.importKeys([other, changed]), changed.id);
      }
      expect(await store.listKeys()).toEqual([full]);
    });

    test("takes over a revocation, and never takes one back", async ({ store }) => {
      await store.createKey(key, hash(1));
      await store.createKey(full, hash(2));
      const { revokedAt: _revokedAt, ...notRevoked } = stored;
      const revoked = { ...key, hash: hash(1), revokedAt: 3_000 };
      const imported = [revoked, notRevoked, { ...stored, revokedAt: 4_001 }];
      expect(await store.importKeys(imported)).toEqual({ stored: 0, changed: 1, skipped: 2 });
      expect(await store.findKey(hash(1))).toEqual({ ...key, revokedAt: 3_000 });
      expect(await store.findKey(hash(2))).toEqual(full);
    });

    test("with the id of one key and the hash of another is a conflict, stored or not", async ({
      store,
    }) => {
      const mixed = { ...other, hash: stored.hash };
      await expectConflict(store.importKeys([stored, mixed]), mixed.id);
      expect(await store.listKeys()).toEqual([]);
      await store.importKeys([other, stored]);
      await expectConflict(store.importKeys([mixed]), mixed.id);
    });
  });

  describe(`${name}: load`, () => {
    const limit = { requests: 3, windowMs: 3_600_000 };

    test("a rate limit allows each key its number of requests, then returns the wait until the end of the window", async ({
      store,
    }) => {
      const limiter = store.createRateLimiter(limit);
      for (let count = 0; count < limit.requests; count++)
        expect(await limiter.count("key_a")).toBeUndefined();
      for (let count = 0; count < 2; count++) {
        const waitMs = await limiter.count("key_a");
        expect(waitMs).toBeGreaterThan(limit.windowMs / 2);
        expect(waitMs).toBeLessThanOrEqual(limit.windowMs);
      }
      expect(await limiter.count("key_b")).toBeUndefined();
    });

    test("a rate limit counts several requests at once, all of them or none", async ({ store }) => {
      const limiter = store.createRateLimiter(limit);
      expect(await limiter.count("key_a", limit.requests)).toBeUndefined();
      expect(await limiter.count("key_a")).toBeGreaterThan(0);
      expect(await limiter.count("key_b", limit.requests - 1)).toBeUndefined();
      expect(await limiter.count("key_b", 2)).toBeGreaterThan(0);
    });

    test("a rate limit is filled once in a window that has room for one request, and not in another", async ({
      store,
    }) => {
      const limiter = store.createRateLimiter(limit);
      for (const owner of ["key_a", "key_b"])
        for (let count = 1; count < limit.requests; count++) await limiter.count(owner);
      expect(await limiter.count("key_a")).toBeUndefined();
      expect(await limiter.fill("key_a")).toBeUndefined();
      expect(await limiter.fill("key_a")).toBeGreaterThan(limit.windowMs / 2);
      expect(await limiter.count("key_a")).toBeGreaterThan(0);
      expect(await limiter.count("key_b", 2)).toBeGreaterThan(0);
      expect(await limiter.fill("key_b")).toBeGreaterThan(0);
    });

    test("a rate limit allows requests again in the next window", async ({ store }) => {
      const limiter = store.createRateLimiter({ requests: 1, windowMs: 50 });
      expect(await limiter.count("key_a")).toBeUndefined();
      await expect.poll(() => limiter.count("key_a")).toBeUndefined();
    });
  });
}

function hash(number: number): string {
  return String(number).padStart(64, "0");
}
