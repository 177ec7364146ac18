import { fileURLToPath } from "node:url";

/** The published files. */
export const binary = fileURLToPath(new URL("../../dist/petstore.cjs", import.meta.url));
