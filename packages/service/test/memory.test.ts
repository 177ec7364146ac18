import { testStore } from "../conformance/store.ts";
import { createMemoryStore } from "../src/index.ts";

testStore("memory", () => createMemoryStore({ cursorSecret: new Uint8Array(32), now: Date.now }));
