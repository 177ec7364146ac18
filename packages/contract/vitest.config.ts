import { defineConfig } from "vitest/config";

// By its path: the kit depends on the contract.
export default defineConfig({ test: { setupFiles: ["../../tests/kit/seed.ts"] } });
