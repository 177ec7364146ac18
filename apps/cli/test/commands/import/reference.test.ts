import { existsSync } from "node:fs";
import { join } from "node:path";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { importDesk, summary } from "../../support/import-desk.ts";
import { petstore } from "../../support/petstore.ts";

const header = "Animal ID,Name,Species,Status\n";

test("0: next week's file of another program changes what has changed, and adds what is new", async ({
  server,
  desk,
}) => {
  const args = ["--categories", "2=Cats", "--concurrency", "1"];
  const list = async () =>
    (await petstore("pets list -o csv", { server })).stdout.split("\n").slice(1, -1);
  desk.write(`${header}A001,Rex,Cat,Available\nA002,,Cat,Available\nA003,Max,Cat,Available\n`);
  expect(await desk.import(["rows.ndjson", ...args])).toMatchObject({
    exitCode: 0,
    stdout: summary(3, 0, 0),
  });

  desk.write(`${header}A004,Luna,Cat,Available\nA002,Bella,Cat,Adopted\nA003,,Cat,Available\n`);
  const refused = await desk.import(["rows.ndjson", "--import-id", "next week", ...args]);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("no longer in the file: animal 1, Rex, available");
  expect(refused.stderr).toContain(
    "row 3, animal 2, A002: name A002 → Bella, status available → sold",
  );
  const changed = await desk.import(["rows.ndjson", "--yes", "--gone", "sold", ...args]);
  expect(changed).toMatchObject({
    exitCode: 0,
    stdout: summary(1, 0, 0, { unchanged: 1, changed: 3 - 1 }),
  });
  const all = [
    "1,Rex,2,sold,A001",
    "2,Bella,2,sold,A002",
    "3,Max,2,available,A003",
    "4,Luna,2,available,A004",
  ];
  expect(await list()).toEqual(all);
  const again = await desk.import(["rows.ndjson", "--import-id", "another", ...args]);
  expect(again).toMatchObject({ exitCode: 0, stdout: summary(0, 0, 0, { unchanged: 3 }) });
  expect(await list()).toEqual(all);
});

test("0: an animal is found by its reference, which no other gets", async ({ server }) => {
  const create = () =>
    petstore(["pets", "create", "--name", "Rex", "--category-id", "7", "--reference", "A 1"], {
      server,
    });
  expect(await create()).toMatchObject({ exitCode: 0 });
  const { exitCode, stderr } = await create();
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining("Animal 1 has this reference"),
  });
  const found = await petstore(["pets", "list", "--reference", "A 1"], { server });
  expect(found.stdout).toBe(
    '{"id":1,"name":"Rex","categoryId":7,"status":"available","reference":"A 1"}\n',
  );
  await petstore(["pets", "update", "1", "--reference", ""], { server });
  expect((await petstore("pets list", { server })).stdout).not.toContain("reference");
});

test("1: an animal that is no longer in the file, and that somebody has reserved meanwhile, is named by its id", async () => {
  const pets = [
    { id: 7, name: "Rex", categoryId: 2, status: "available", reference: "A007" },
    { id: 8, name: "Max", categoryId: 2, status: "available", reference: "A008" },
  ];
  const reserved = { code: "status_changed", message: "The animal is pending now.", status: 409 };
  await using server = await startHttpServer((request, response) => {
    response.writeHead(request.method === "GET" ? 200 : 409, {
      "Content-Type": "application/json",
    });
    request
      .resume()
      .on("end", () => response.end(JSON.stringify(request.method === "GET" ? pets : reserved)));
  });
  const desk = importDesk({ url: `${server.origin}/v1`, apiKey: "pst_test_0" });
  desk.write(`${header}A008,Max,Cat,Available\n`);
  const options = [
    "--categories",
    "2=Cats",
    "--gone",
    "sold",
    "--yes",
    "--rejected",
    "rejected.csv",
  ];
  const { exitCode, stderr } = await desk.import(["rows.ndjson", ...options], { raw: true });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    '"file":"rows.ndjson","animal":"7","field":"row","message":"The animal is pending now.',
  );
  // It has no row that could be fixed.
  expect(existsSync(join(desk.path, "rejected.csv"))).toBe(false);
});
