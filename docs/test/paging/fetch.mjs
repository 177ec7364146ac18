import { nextIn } from "./next.mjs";

const { URL: base, KEY: key } = process.env;
const headers = { authorization: `Bearer ${key}` };
for (let url = `${base}/pets?limit=2`; url !== undefined;) {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${response.status}`);
  for (const pet of await response.json()) console.log(pet.name);
  url = nextIn(response.headers.get("link"));
}
