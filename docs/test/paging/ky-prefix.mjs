import ky from "ky";
import { nextIn } from "./next.mjs";

const { URL: base, KEY: key } = process.env;
const client = ky.create({ prefix: base, headers: { authorization: `Bearer ${key}` } });
for (let url = "pets?limit=2"; url !== undefined;) {
  const response = await client.get(url);
  for (const pet of await response.json()) console.log(pet.name);
  url = nextIn(response.headers.get("link"));
}
