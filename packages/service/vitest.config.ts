import { defineConfig } from "vitest/config";

export default defineConfig({ test: { setupFiles: ["@petstore/test-kit/seed"] } });
