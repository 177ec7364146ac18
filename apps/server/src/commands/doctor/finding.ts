import { noIdIsLeft } from "@petstore/service";

/** What was found about one thing, and what to do where something is wrong. */
export interface Finding {
  level: "ok" | "warning" | "problem";
  check: string;
  message: string;
}

/** Only an earlier version imported the largest id that counts. */
export function diagnoseIds(isIdLeft: boolean): Finding {
  if (isIdLeft) return { level: "ok", check: "ids", message: "new animals can be added" };
  const advice = "export the animals, give that one another id, and import them into a new database";
  return { level: "problem", check: "ids", message: `${noIdIsLeft().message}: ${advice}` };
}

/** Without a key nobody can call the service. */
export function diagnoseKeys(active: number): Finding {
  if (active > 0) return { level: "ok", check: "API keys", message: `${active} active` };
  const message = "none is active: issue one with petstore-server keys create --name NAME";
  return { level: "problem", check: "API keys", message };
}
