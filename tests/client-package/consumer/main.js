import { useClient } from "./use-client.js";

// Without options, the client reads them from the environment.
const [failing, options] = process.argv.slice(2);
console.log(JSON.stringify(await useClient(failing, options && JSON.parse(options))));
