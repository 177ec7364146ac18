import axios from "axios";
import { nextIn } from "./next.mjs";

const { URL: base, KEY: key } = process.env;
const client = axios.create({ baseURL: base, headers: { authorization: `Bearer ${key}` } });
for (let url = "/pets?limit=2"; url !== undefined;) {
  const response = await client.get(url);
  for (const pet of response.data) console.log(pet.name);
  url = nextIn(response.headers.link);
}
