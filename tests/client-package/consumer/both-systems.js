import { createRequire } from "node:module";
import * as client from "@petstore/client";
import * as testing from "@petstore/client/testing";

const require = createRequire(import.meta.url);
const systems = [
  { ...client, ...testing },
  { ...require("@petstore/client"), ...require("@petstore/client/testing") },
];

/** The errors that one of the module systems throws. */
async function failuresOf({ createPetstoreClient, createPetstoreFake }) {
  const { experimental } = createPetstoreClient(createPetstoreFake());
  const [notFound, invalidArgument] = await Promise.all(
    ["1", "one"].map((id) => experimental.updatePet(id, { name: "Tom" }).catch((error) => error)),
  );
  return { notFound, invalidArgument };
}

/** What each module system recognises of the errors of each. */
const recognised = [];
for (const { notFound, invalidArgument } of await Promise.all(systems.map(failuresOf))) {
  for (const { NotFoundError, InvalidArgumentError, isPetstoreError, isApiError } of systems) {
    recognised.push({
      byClass: [notFound instanceof NotFoundError, invalidArgument instanceof InvalidArgumentError],
      byFunction: [isApiError(notFound, "pet_not_found"), isPetstoreError(invalidArgument)],
    });
  }
}
console.log(JSON.stringify(recognised));
