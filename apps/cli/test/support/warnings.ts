import { afterAll, afterEach, beforeAll } from "vitest";

// Node prints warnings on standard error. Of a program that runs within this process they would not
// be seen there.
const warnings: Error[] = [];
const keep = (warning: Error): void => void warnings.push(warning);

beforeAll(() => void process.on("warning", keep));
afterEach(() => {
  const [warning] = warnings.splice(0);
  if (warning !== undefined) throw warning;
});
afterAll(() => void process.off("warning", keep));
