import { readFileSync } from "node:fs";
import type { PostgresServer } from "@petstore/test-kit/postgres-server";
import { runSql } from "./postgres-database.ts";

/** The addresses of the database with the roles of `deploy/postgres-roles.sql`. */
export interface RoleUrls {
  owner: string;
  server: string;
}

/** Runs the file as psql does. */
export async function createRoles({ url }: PostgresServer): Promise<RoleUrls> {
  const file = readFileSync(new URL("../../../deploy/postgres-roles.sql", import.meta.url), "utf8");
  const sql = file
    .replace(/^\\getenv \w+ \w+$/gm, "")
    .replace(":'owner_password'", "'owner'")
    .replace(":'server_password'", "'server'");
  const [onServer = "", onDatabase = "", ...rest] = sql.split("\\connect petstore\n");
  if (rest.length > 0 || /^\\|:'/m.test(onServer + onDatabase))
    throw new Error("The file has commands that are not known here");
  // CREATE DATABASE must be alone.
  for (const statement of onServer.split(/;$/m)) await runSql(`${url}/postgres`, statement);
  await runSql(`${url}/petstore`, onDatabase);
  const { host } = new URL(url);
  return {
    owner: `postgres://petstore_owner:owner@${host}/petstore`,
    server: `postgres://petstore:server@${host}/petstore`,
  };
}
