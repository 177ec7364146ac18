// What every peer is started with: a port, a database file and, perhaps, `--duties`.
import { openCatalogue } from "./catalogue.ts";
import { createDuties } from "./duties.ts";

const [portText, file = "", mode] = process.argv.slice(2);

export const port = Number(portText);
export const duties = mode === "--duties" ? createDuties() : undefined;
export const catalogue = openCatalogue(file, duties !== undefined);
