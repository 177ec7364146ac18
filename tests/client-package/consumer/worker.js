import { useClient } from "./use-client.js";

export default {
  async test(
    _controller,
    { FAILING: failing, PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey },
  ) {
    console.log(JSON.stringify(await useClient(failing, { baseUrl, apiKey })));
  },
};
