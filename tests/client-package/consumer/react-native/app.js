// oxlint-disable-next-line import/no-unassigned-import -- first of all, as in React Native
import "./globals.js";
import { createPetstoreClient } from "@petstore/client";
import { moved, options, silent } from "./connections.json";

const client = createPetstoreClient(options);

/** The error of a call, or what it returned. */
async function outcomeOf(call) {
  try {
    return JSON.stringify(await call());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

const namesOf = ({ data }) => data.map(({ name }) => name);

async function use() {
  for (const name of ["Rex", "Tom", "Tom", "Kim"]) {
    await client.createPet({ name, categoryId: "7" }, { idempotencyKey: `key-of-${name}` });
  }
  const page = await client.listPets({ limit: 2 });
  const walked = [];
  for await (const { name } of client.listPets({ limit: 2 })) walked.push(name);

  const rex = { name: "Rex", categoryId: 7 };
  const waiting = createPetstoreClient({ ...silent, maxRetries: 0 });
  const controller = new AbortController();
  const outcomes = {
    reused: await outcomeOf(() => client.createPet(rex, { idempotencyKey: "key-of-Tom" })),
    large: await outcomeOf(() =>
      client.createPet({ ...rex, categoryId: 2n ** 60n }, { idempotencyKey: "large" }),
    ),
    keyless: await outcomeOf(() => client.createPet(rex)),
    late: await outcomeOf(() => waiting.listPets({}, { timeoutMs: 20 })),
    aborted: await outcomeOf(() => {
      setTimeout(() => controller.abort(new Error("enough")), 20);
      return waiting.listPets({}, { signal: controller.signal });
    }),
  };
  const followed = await createPetstoreClient(moved).listPets();
  return {
    page: { names: namesOf(page), isLast: page.next === undefined },
    walked,
    ...outcomes,
    moved: namesOf(followed),
  };
}

void use().then((result) => console.log(JSON.stringify(result)));
