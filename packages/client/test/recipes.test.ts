import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { createProject, runNode, typeErrors } from "./processes.ts";
import { startFakeServer } from "./scripted-server.ts";

const page = readFileSync(new URL("../docs/recipes.md", import.meta.url), "utf8");
const project = createProject("@tanstack", "@types", "express");
afterAll(() => project.remove());

/** The block of code below a heading. */
function blockOf(heading: string): string {
  return new RegExp(`^## ${heading}\n.*?^\`\`\`\\w+\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1] ?? "";
}

function write(name: string, program: string): string {
  writeFileSync(join(project.path, name), program);
  return name;
}

write("query.ts", blockOf("React Query"));
write("action.ts", blockOf("Next.js server action"));
write("handler.ts", blockOf("Express handler"));
write("guest.ts", blockOf("Cron job"));

/** What a program prints, as JSON, which runs a recipe against a service with 25 animals. */
async function outputOf(name: string, program: string, environment?: NodeJS.ProcessEnv): Promise<unknown> {
  const pets = Array.from({ length: 25 }, (_, index) => ({ name: `Pet ${index + 1}`, categoryId: 7 }));
  await using server = await startFakeServer({ pets });
  const { stdout, stderr } = await runNode(
    [write(name, program)],
    { ...server.environment, ...environment },
    project.path,
  );
  return { stderr, printed: JSON.parse(stdout) as unknown };
}

test("the recipes have no type errors", async () => {
  expect(await typeErrors(project.path, "*.ts")).toBe("");
});

test("React Query: pages are fetched, refetched and copied", async () => {
  const program = `
    import { dehydrate, InfiniteQueryObserver, QueryClient } from "@tanstack/query-core";
    import { petsQuery } from "./query.ts";
    const queries = new QueryClient();
    const observer = new InfiniteQueryObserver(queries, petsQuery("available"));
    await observer.refetch();
    await observer.fetchNextPage();
    await observer.refetch();
    const { data, hasNextPage } = observer.getCurrentResult();
    const [{ state }] = structuredClone(dehydrate(queries)).queries;
    console.log(JSON.stringify([data.pages.map((page) => page.data.length), hasNextPage, state.data.pages[1].data[0].id]));
    queries.clear();`;
  expect(await outputOf("query.js", program)).toEqual({ stderr: "", printed: [[20, 5], false, "21"] });
});

test("a server action: a second click adds nothing, and what it returns can be copied", async () => {
  const program = `
    import { addPet } from "./action.ts";
    const form = new FormData();
    for (const [field, value] of Object.entries({ name: "Bella", categoryId: "9223372036854775807", key: "k" })) form.set(field, value);
    const added = [await addPet(undefined, form), await addPet(undefined, form)];
    form.set("categoryId", "seven");
    console.log(JSON.stringify(structuredClone([...added, await addPet(undefined, form)])));`;
  const pet = { id: "26", name: "Bella", categoryId: "9223372036854775807", status: "available" };
  const problems = [{ field: "categoryId", message: expect.stringMatching(/^categoryId must be /) }];
  expect(await outputOf("action.js", program)).toEqual({ stderr: "", printed: [{ pet }, { pet }, { problems }] });
});

test.each([
  [{}, "", [200, 400, 400]],
  [{ PETSTORE_API_KEY: "wrong_key" }, expect.stringMatching(/"code":"invalid_api_key"/), [502, 502, 400]],
])("an Express handler, with %o", async (environment, stderr, printed) => {
  const program = `
    import { app } from "./handler.ts";
    const server = app.listen(0);
    const origin = \`http://127.0.0.1:\${server.address().port}\`;
    const responses = [];
    for (const query of ["", "?cursor=forged", "?limit=0"]) responses.push(await fetch(origin + "/adoptable" + query));
    console.log(JSON.stringify(responses.map(({ status }) => status)));
    server.close();`;
  expect(await outputOf("handler.js", program, environment)).toEqual({ stderr, printed });
});

function runGuest(environment: NodeJS.ProcessEnv) {
  return runNode(["guest.ts"], environment, project.path);
}

test("a cron job: run twice a day, it adds one animal, and the workflow reports a failure", async () => {
  await using server = await startFakeServer();
  for (let time = 0; time < 2; time++) {
    expect(await runGuest(server.environment)).toEqual({ exitCode: 0, stdout: "Animal 1\n", stderr: "" });
  }
  const { jobs } = parse(blockOf("GitHub Actions")) as { jobs: { guest: { steps: { run?: string; env?: object }[] } } };
  const step = jobs.guest.steps.at(-1);
  expect(step).toEqual({
    run: "node guest.ts",
    env: { PETSTORE_BASE_URL: expect.any(String), PETSTORE_API_KEY: "${{ secrets.PETSTORE_API_KEY }}" },
  });
  expect((await runGuest({ ...server.environment, PETSTORE_API_KEY: "" })).exitCode).toBe(1);
});
