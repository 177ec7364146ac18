import { fileURLToPath } from "node:url";

/** The published program. */
export const binary = fileURLToPath(new URL("../../dist/petstore.cjs", import.meta.url));

/** What it loads: the main function. */
export const program = fileURLToPath(new URL("../../dist/main.cjs", import.meta.url));
