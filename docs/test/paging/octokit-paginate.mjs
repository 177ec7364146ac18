import { Octokit } from "octokit";

const { URL: base, KEY: key } = process.env;
const octokit = new Octokit({ baseUrl: base });
const headers = { authorization: `Bearer ${key}` };
for await (const { data } of octokit.paginate.iterator("GET /pets", { limit: 2, headers }))
  for (const pet of data) console.log(pet.name);
