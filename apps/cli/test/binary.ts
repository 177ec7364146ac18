import { fileURLToPath } from "node:url";

/** What is published. */
export const binary = fileURLToPath(new URL("../dist/petstore.js", import.meta.url));
