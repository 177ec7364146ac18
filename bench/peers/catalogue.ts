// The database work of every peer, with node:sqlite, on a file that `petstore-server import` has made.
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

export interface Pet {
  id: number;
  name: string;
  categoryId: number;
  status: "available" | "pending" | "sold";
}

interface Page {
  pets: Pet[];
  /** The value of the `Link` header, when there is a next page. */
  link?: string | undefined;
}

/** @param hasLinks whether lists say where the next page is, which takes a row more and a signature */
export function openCatalogue(file: string, hasLinks: boolean) {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  const columns = "id, name, category_id AS categoryId, status";
  const select = database.prepare(`SELECT ${columns} FROM pets WHERE id > ? ORDER BY id LIMIT ?`);
  const selectOne = database.prepare(`SELECT ${columns} FROM pets WHERE id = ?`);
  // A statement of its own is a transaction of its own.
  const insert = database.prepare(`INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?) RETURNING ${columns}`);
  const selectKey = database.prepare(
    "SELECT id FROM api_keys WHERE hash = ? AND revoked_at IS NULL AND coalesce(expires_at, ?2) >= ?2",
  );
  const { value: secret } = database.prepare("SELECT value FROM secrets WHERE name = 'cursor'").get() as {
    value: Uint8Array;
  };

  return {
    /** The id of the API key, or `undefined` when it is none of ours. */
    authenticate(authorization = ""): string | undefined {
      if (!authorization.startsWith("Bearer ")) return undefined;
      const row = selectKey.get(hash("sha256", authorization.slice(7), "buffer"), Date.now());
      return row?.["id"] as string | undefined;
    },

    listPets({ limit, cursor }: { limit: number; cursor?: string | undefined }): Page {
      const after = cursor === undefined ? 0 : readCursor(cursor, secret);
      if (!hasLinks) return { pets: select.all(after, limit) as unknown as Pet[] };
      const pets = select.all(after, limit + 1) as unknown as Pet[];
      if (pets.length <= limit) return { pets };
      pets.pop();
      const next = writeCursor(pets[limit - 1]?.id ?? 0, secret);
      return { pets, link: `<?cursor=${next}&limit=${limit}>; rel="next"` };
    },

    getPet: (id: number) => selectOne.get(id) as Pet | undefined,

    createPet: ({ name, categoryId, status }: Omit<Pet, "id">) =>
      insert.get(name, categoryId, status) as unknown as Pet,
  };
}

/** The last id of a page and a signature. */
function writeCursor(id: number, secret: Uint8Array): string {
  const signed = Buffer.alloc(8);
  signed.writeBigInt64BE(BigInt(id));
  const signature = createHmac("sha256", secret).update(signed).digest().subarray(0, 16);
  return Buffer.concat([signed, signature]).toString("base64url");
}

function readCursor(cursor: string, secret: Uint8Array): number {
  const bytes = Buffer.from(cursor, "base64url");
  const id = bytes.length === 24 ? Number(bytes.readBigInt64BE()) : 0;
  const expected = Buffer.from(writeCursor(id, secret));
  const given = Buffer.from(cursor);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Error("not a cursor of ours");
  return id;
}
