import { join } from "node:path";

/** The file that users of other tools read: what `pnpm generate` wrote, and what a server answers. */
export const documentFile = join(import.meta.dirname, "../../../packages/contract/openapi.json");
