import { expect, test } from "vitest";
import { animals, startCatalogue } from "../support/catalogue.ts";
import { petstoreProcess } from "../support/petstore.ts";

test.for(["table", "json"])(
  "0: many animals as %s need no more memory than a few",
  async (format) => {
    const count = 60_000;
    await using server = await startCatalogue(animals(count, { name: "x".repeat(250) }));
    // All animals, or their text, would need more.
    const environment = { NODE_OPTIONS: "--max-old-space-size=24" };
    const { exitCode, stdout, stderr } = await petstoreProcess(`pets list --all -o ${format}`, {
      server,
      environment,
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout.match(/x{250}/g)).toHaveLength(count);
  },
);
