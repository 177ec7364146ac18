import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { toInt64, type Int64 } from "@petstore/contract";
import { expected } from "@petstore/contract/messages";
import { Refusal } from "../refusal.ts";

/** Reads and writes the opaque `cursor` of a page (D7). */
export interface Cursors {
  /** Where the list goes on behind `after`. `list` names the list with its filters: the cursor is good for no other. */
  write(list: string, after: Int64): string;
  /** @throws {Refusal} 400 when the cursor was not written for this list. */
  read(list: string, cursor: string | undefined): Int64 | undefined;
}

const idBytes = 8;
const macBytes = 16;

/** A cursor is the last id of a page and a message authentication code, in base64url. */
export function createCursors(secret: Uint8Array): Cursors {
  const key = createSecretKey(secret); // once: it costs four times as much as a signature
  function sign(list: string, id: Buffer): Buffer {
    return createHmac("sha256", key).update(id).update(list).digest().subarray(0, macBytes);
  }

  return {
    write(list, after) {
      const id = Buffer.alloc(idBytes);
      id.writeBigInt64BE(BigInt(after));
      return Buffer.concat([id, sign(list, id)]).toString("base64url");
    },

    read(list, cursor) {
      if (cursor === undefined) return undefined;
      const bytes = Buffer.from(cursor, "base64url");
      const id = bytes.subarray(0, idBytes);
      const isOurs =
        bytes.length === idBytes + macBytes &&
        bytes.toString("base64url") === cursor && // base64 may be written in several ways
        timingSafeEqual(bytes.subarray(idBytes), sign(list, id));
      if (isOurs) return toInt64(id.readBigInt64BE());
      throw new Refusal("invalid_request", `query cursor ${expected.cursor}, with the same filters.`);
    },
  };
}

/**
 * Cuts what a store returned for `limit + 1` items down to a page. The one item too many only tells that there is a next page,
 * to which the `Link` header leads (RFC 8288) as a relative reference: it holds behind any host and path prefix.
 */
export function cutPage<Item extends { id: Int64 }>(
  cursors: Cursors,
  list: string,
  found: readonly Item[],
  { limit, ...filters }: { limit: number; status?: string | undefined },
): { items: Item[]; headers: { Link?: string } } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (found.length <= limit || last === undefined) return { items, headers: {} };
  const query = new URLSearchParams({ cursor: cursors.write(list, last.id), limit: String(limit) });
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  return { items, headers: { Link: `<?${query.toString()}>; rel="next"` } };
}
