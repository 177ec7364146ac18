import { useClient } from "./use-client.js";

// Without an argument, the client reads its options from the environment.
const [options] = process.argv.slice(2);
console.log(JSON.stringify(await useClient(options && JSON.parse(options))));
