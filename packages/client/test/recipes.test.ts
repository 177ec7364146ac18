import {
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { runNode } from "./processes.ts";
import { startFakeServer } from "./scripted-server.ts";

const client = dirname(import.meta.dirname);

/** A project outside of the repository, with the client and the packages of the pages installed. */
const project = mkdtempDisposableSync(join(tmpdir(), "petstore-project-"));
afterAll(() => project.remove());
mkdirSync(join(project.path, "node_modules/@petstore"), { recursive: true });
symlinkSync(client, join(project.path, "node_modules/@petstore/client"));
for (const name of ["@tanstack", "express"])
  symlinkSync(join(client, "node_modules", name), join(project.path, "node_modules", name));
write("package.json", JSON.stringify({ type: "module" }));

function write(name: string, text: string): string {
  writeFileSync(join(project.path, name), text);
  return name;
}

/**
 * The blocks of code of the page. The file of a block is named after its line.
 * docs/test/blocks.test.ts compiles each.
 */
const text = readFileSync(join(client, "docs/recipes.md"), "utf8");
const recipes = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ({ index, 1: language, 2: code = "" }) => {
    const before = text.slice(0, index);
    const [, heading] = /^.*^## (.*?)$/ms.exec(before) ?? [];
    return { heading, language, code, file: `recipe-${before.split("\n").length + 1}.ts` };
  },
);
for (const { language, file, code } of recipes) if (language === "ts") write(file, code);

/** What a program prints, as JSON, which runs a recipe against a service with 25 animals. */
async function outputOf(program: string, environment?: NodeJS.ProcessEnv): Promise<unknown> {
  const pets = Array.from({ length: 25 }, (_, index) => ({
    name: `Pet ${index + 1}`,
    categoryId: 7,
  }));
  await using server = await startFakeServer({ pets });
  const variables = { ...server.environment, ...environment };
  const { stdout, stderr } = await runNode([write("program.js", program)], variables, project.path);
  return { stderr, printed: JSON.parse(stdout) as unknown };
}

function recipe(name: string): { file: string; code: string } {
  return recipes.find(({ heading }) => heading === name) ?? { file: "", code: "" };
}

test("React Query: a large id can be in a query key, but only as a string", async () => {
  const program = `
    import { hashKey } from "@tanstack/query-core";
    import { createPetstoreClient } from "@petstore/client";
    import { petsQuery } from "./${recipe("React Query").file}";
    const pet = { name: "Methuselah", categoryId: "9223372036854775807" };
    const [text, exact] = ["string", "exact"].map((int64) => createPetstoreClient({ int64 }));
    const key = ({ categoryId }) => hashKey(petsQuery("available", categoryId).queryKey);
    const large = await exact.createPet(pet).then(key).catch(({ name }) => name);
    console.log(JSON.stringify([key(await text.createPet(pet)), large]));`;
  const printed = ['["pets","available","9223372036854775807"]', "TypeError"];
  expect(await outputOf(program)).toEqual({ stderr: "", printed });
});

test("React Query: pages are fetched, refetched and copied", async () => {
  const program = `
    import { dehydrate, InfiniteQueryObserver, QueryClient } from "@tanstack/query-core";
    import { petsQuery } from "./${recipe("React Query").file}";
    const queries = new QueryClient();
    const observer = new InfiniteQueryObserver(queries, petsQuery("available"));
    await observer.refetch();
    await observer.fetchNextPage();
    await observer.refetch();
    const { data, hasNextPage } = observer.getCurrentResult();
    const [{ state }] = structuredClone(dehydrate(queries)).queries;
    console.log(JSON.stringify([data.pages.map((page) => page.data.length), hasNextPage, state.data.pages[1].data[0].id]));
    queries.clear();`;
  expect(await outputOf(program)).toEqual({ stderr: "", printed: [[20, 5], false, "21"] });
});

test("a server action: a second click adds nothing, and what it returns can be copied", async () => {
  const program = `
    import { addPet } from "./${recipe("Next.js server action").file}";
    const form = new FormData();
    for (const [field, value] of Object.entries({ name: "Bella", categoryId: "9223372036854775807", key: "k" })) form.set(field, value);
    const added = [await addPet(undefined, form), await addPet(undefined, form)];
    form.set("categoryId", "seven");
    console.log(JSON.stringify(structuredClone([...added, await addPet(undefined, form)])));`;
  const pet = { id: "26", name: "Bella", categoryId: "9223372036854775807", status: "available" };
  const problems = [
    { field: "categoryId", message: expect.stringMatching(/^categoryId must be /) },
  ];
  expect(await outputOf(program)).toEqual({
    stderr: "",
    printed: [{ pet }, { pet }, { problems }],
  });
});

test.each([
  [{}, "", [200, 400, 400]],
  [
    { PETSTORE_API_KEY: "wrong_key" },
    expect.stringMatching(/"code":"invalid_api_key"/),
    [502, 502, 400],
  ],
])("an Express handler, with %o", async (environment, stderr, printed) => {
  const program = `
    import { app } from "./${recipe("Express handler").file}";
    const server = app.listen(0);
    const origin = \`http://127.0.0.1:\${server.address().port}\`;
    const responses = [];
    for (const query of ["", "?cursor=forged", "?limit=0"]) responses.push(await fetch(origin + "/adoptable" + query));
    console.log(JSON.stringify(responses.map(({ status }) => status)));
    server.close();`;
  expect(await outputOf(program, environment)).toEqual({ stderr, printed });
});

test("a cron job: run twice a day, it adds one animal, and the workflow reports a failure", async () => {
  await using server = await startFakeServer();
  const { file } = recipe("Cron job");
  const runGuest = (environment: NodeJS.ProcessEnv) => runNode([file], environment, project.path);
  for (let time = 0; time < 2; time++) {
    expect(await runGuest(server.environment)).toEqual({
      exitCode: 0,
      stdout: "Animal 1\n",
      stderr: "",
    });
  }
  const workflow: unknown = parse(recipe("GitHub Actions").code);
  const variables = {
    PETSTORE_BASE_URL: expect.any(String),
    PETSTORE_API_KEY: "${{ secrets.PETSTORE_API_KEY }}",
  };
  const steps = expect.arrayContaining([{ run: "node guest.ts", env: variables }]);
  expect(workflow).toMatchObject({ jobs: { guest: { steps } } });
  expect((await runGuest({ ...server.environment, PETSTORE_API_KEY: "" })).exitCode).toBe(1);
});
