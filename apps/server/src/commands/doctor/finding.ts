import { outOfIdsError } from "@petstore/service";

/** What was found about one thing, and what to do where something is wrong. */
export interface Finding {
  level: "ok" | "warning" | "problem";
  check: string;
  message: string;
}

function findings(level: Finding["level"]): (check: string, message: string) => Finding {
  return (check, message) => ({ level, check, message });
}

export const ok = findings("ok");
export const warning = findings("warning");
export const problem = findings("problem");

/** Only an earlier version imported the largest id that counts. */
export function diagnoseIds(isIdLeft: boolean): Finding {
  if (isIdLeft) return ok("ids", "new animals can be added");
  const advice = "export the animals, give that one another id, and import them into a new database";
  return problem("ids", `${outOfIdsError().message}: ${advice}`);
}

/** Without a key nobody can call the service. */
export function diagnoseKeys(active: number): Finding {
  if (active > 0) return ok("API keys", `${active} active`);
  return problem("API keys", "none is active: issue one with petstore-server keys create --name NAME");
}
