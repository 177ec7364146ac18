import { keyColumns } from "../key-row.ts";
import { functionParameters, petSql } from "../pet-columns.ts";
import type { Statement } from "./database.ts";

const { columns: petColumns, others, parameters } = petSql;

/** Every statement that the store runs. */
export const sql = statements({
  listPets: `SELECT ${petColumns} FROM pets WHERE id >= $1 ORDER BY id LIMIT $2`,
  listPetsOf: `SELECT ${petColumns} FROM pets WHERE status = $1 AND id >= $2 ORDER BY id LIMIT $3`,
  getPet: `SELECT ${petColumns} FROM pets WHERE id = $1`,
  lockPets: "SELECT id FROM pets WHERE id = ANY($1::bigint[]) FOR UPDATE",
  deletePets: "DELETE FROM pets WHERE id = ANY($1::bigint[])",
  createPet: `SELECT create_pet(${functionParameters()})`,
  createPetOnce: `SELECT * FROM create_pet_once(${functionParameters(5)})`,
  waitForItems: "SET LOCAL idle_in_transaction_session_timeout = '1h'",
  lockNumbering: "SELECT last_id FROM numbering FOR UPDATE",
  setNumbering: "UPDATE numbering SET last_id = $1",
  // These return what they have written: a row that is new has not been locked by anyone, and one that is equal is left alone.
  putPets: `INSERT INTO pets AS old (${petColumns})
    SELECT * FROM unnest(${parameters((place, type) => `$${place}::${type}[]`)})
    ON CONFLICT (id) DO UPDATE SET ${others((column) => `${column} = EXCLUDED.${column}`)}
      WHERE ${others((column) => `old.${column} IS DISTINCT FROM EXCLUDED.${column}`, " OR ")}
    RETURNING id, xmax = 0`,
  putOrders: `INSERT INTO orders AS old (id, json) SELECT * FROM unnest($1::bigint[], $2::text[])
    ON CONFLICT (id) DO UPDATE SET json = EXCLUDED.json WHERE old.json <> EXCLUDED.json
    RETURNING id, xmax = 0`,
  listOrders: "SELECT id, json FROM orders WHERE id >= $1 ORDER BY id LIMIT $2",
  listKeys: `SELECT ${keyColumns} FROM api_keys ORDER BY created_at, number`,
  insertKey: `INSERT INTO api_keys (hash, ${keyColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
  importKey: `INSERT INTO api_keys (hash, ${keyColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT DO NOTHING RETURNING id`,
  getKeys: `SELECT hash, ${keyColumns} FROM api_keys WHERE id = $1 OR hash = $2`,
  exportKeys: `SELECT hash, ${keyColumns} FROM api_keys ORDER BY created_at, number`,
  expireKey: "UPDATE api_keys SET expires_at = least(expires_at, $1) WHERE id = $2",
  revokeKey: "UPDATE api_keys SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2 RETURNING id",
  ping: "SELECT 1",
  getSecret: "SELECT value FROM secrets WHERE name = $1",
});

function statements<Name extends string>(texts: Record<Name, string>): Record<Name, Statement> {
  const named = Object.entries<string>(texts).map(([name, text]) => [name, { name, text }]);
  return Object.fromEntries(named) as Record<Name, Statement>;
}
