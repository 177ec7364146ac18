// The arguments of every peer: a port, a database file and, optionally, `--duties`.
import { openCatalogue } from "./catalogue.ts";
import { createDuties } from "./duties.ts";

const [portText, file = "", mode] = process.argv.slice(2);

export const port = Number(portText);
export const duties = mode === "--duties" ? createDuties() : undefined;
export const catalogue = openCatalogue(file, duties !== undefined);
