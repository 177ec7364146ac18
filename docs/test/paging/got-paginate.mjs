import got from "got";

const { URL: base, KEY: key } = process.env;
const headers = { authorization: `Bearer ${key}` };
for await (const pet of got.paginate(`${base}/pets?limit=2`, { headers })) console.log(pet.name);
