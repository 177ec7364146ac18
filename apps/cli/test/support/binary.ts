import { fileURLToPath } from "node:url";

/** The published program. */
export const binary = fileURLToPath(new URL("../../dist/petstore.cjs", import.meta.url));
