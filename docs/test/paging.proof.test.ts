import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { toolsDirectory } from "@petstore/test-kit/tools";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { describe, expect, test } from "vitest";
import { interpretersOf, runWithAnimals, type Form } from "./paging.ts";

/** Which links to the next page the usual code of each client follows. The code is in `paging/`. */
const clients: readonly ({ client: string; file: string } & Record<Form, boolean>)[] = [
  { client: "Python requests", file: "python-requests.py", absolute: true, queryOnly: false },
  { client: "Python httpx", file: "python-httpx.py", absolute: true, queryOnly: false },
  {
    client: "Python httpx with base_url",
    file: "python-httpx-base.py",
    absolute: true,
    queryOnly: false,
  },
  { client: "R httr2", file: "r-httr2.R", absolute: true, queryOnly: false },
  { client: "Ruby octokit", file: "ruby-octokit.rb", absolute: true, queryOnly: false },
  { client: "Ruby gitlab", file: "ruby-gitlab.rb", absolute: true, queryOnly: false },
  { client: "Ruby Faraday with url", file: "ruby-faraday.rb", absolute: true, queryOnly: false },
  { client: "PHP Guzzle", file: "php-guzzle.php", absolute: true, queryOnly: false },
  {
    client: "PHP Guzzle with base_uri",
    file: "php-guzzle-base.php",
    absolute: true,
    queryOnly: false,
  },
  { client: "Perl LWP", file: "perl-lwp.pl", absolute: true, queryOnly: false },
  { client: "Perl Mojo", file: "perl-mojo.pl", absolute: true, queryOnly: false },
  { client: "JavaScript got paginate", file: "got-paginate.mjs", absolute: true, queryOnly: true },
  {
    client: "JavaScript Octokit paginate",
    file: "octokit-paginate.mjs",
    absolute: true,
    queryOnly: false,
  },
  { client: "JavaScript fetch", file: "fetch.mjs", absolute: true, queryOnly: false },
  { client: "JavaScript ky", file: "ky.mjs", absolute: true, queryOnly: false },
  {
    client: "JavaScript ky with baseUrl",
    file: "ky-base-url.mjs",
    absolute: true,
    queryOnly: true,
  },
  { client: "JavaScript ky with prefix", file: "ky-prefix.mjs", absolute: false, queryOnly: false },
  { client: "JavaScript axios", file: "axios.mjs", absolute: true, queryOnly: false },
  {
    client: "JavaScript axios with baseURL",
    file: "axios-base-url.mjs",
    absolute: true,
    queryOnly: false,
  },
];

test("all clients but one follow an absolute link, and two follow a query", () => {
  expect(clients.filter(({ absolute }) => !absolute).map(({ client }) => client)).toHaveLength(1);
  expect(clients.filter(({ queryOnly }) => queryOnly).map(({ client }) => client)).toHaveLength(2);
});

describe.each([
  { form: "absolute", link: "an absolute link" },
  { form: "queryOnly", link: "a link that is only a query" },
] as const)("$link", ({ form, link }) => {
  const rows = clients.flatMap(({ client, file, [form]: follows }) =>
    interpretersOf(file).map((interpreter) => ({ client, file, interpreter, follows })),
  );
  const [following, others] = [
    rows.filter(({ follows }) => follows),
    rows.filter(({ follows }) => !follows),
  ];

  test.each(following)(`0: $client follows ${link}`, async ({ file, interpreter }) => {
    const run = await runClient(file, interpreter, form);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.printed).toEqual(run.names);
  });

  test.each(others)(
    `$client fails after the first page at ${link}`,
    async ({ file, interpreter }) => {
      const run = await runClient(file, interpreter, form);
      expect(run.exitCode).not.toBe(0);
      expect(run.printed).toEqual(run.names.slice(0, 2));
    },
  );
});

/** Runs a client, with the packages of the proof, on three pages. */
async function runClient(file: string, interpreter: readonly string[], form: Form) {
  using directory = temporaryDirectory();
  cpSync(join(import.meta.dirname, "paging"), directory.path, { recursive: true });
  symlinkSync(join(toolsDirectory, "node_modules"), join(directory.path, "node_modules"));
  return await runWithAnimals([...interpreter, file], {
    form,
    count: 5,
    directory: directory.path,
  });
}
