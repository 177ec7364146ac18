import ky from "ky";
import { nextIn } from "./next.mjs";

const { URL: base, KEY: key } = process.env;
const client = ky.create({ baseUrl: `${base}/pets`, headers: { authorization: `Bearer ${key}` } });
for (let url = "?limit=2"; url !== undefined;) {
  const response = await client.get(url);
  for (const pet of await response.json()) console.log(pet.name);
  url = nextIn(response.headers.get("link"));
}
