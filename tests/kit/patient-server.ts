// Runs `petstore-server` with the limits of a test: see `serverWith` of shipped.ts.
import { argv } from "node:process";
import type { TimeLimits } from "../../apps/server/src/time-limits.ts";
import { limitsWith } from "./patience.ts";

const [program = "", own = ""] = argv.splice(2, 2);
const { main } = (await import(program)) as { main: (limits: TimeLimits) => Promise<void> };
await main(limitsWith(JSON.parse(own) as Partial<TimeLimits>));
