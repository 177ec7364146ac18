import { outOfIdsError } from "@petstore/service";

/** The result of one check, with advice if something is wrong. */
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

/** The ids can be used up only by an earlier version, which could import the largest one. */
export function diagnoseIds(isIdLeft: boolean): Finding {
  if (isIdLeft) return ok("ids", "available for new animals");
  const advice = "export the animals, change that id, and import them into a new database";
  return problem("ids", `${outOfIdsError().message}: ${advice}`);
}

/** Without an active key, the service cannot be used. */
export function diagnoseKeys(active: number): Finding {
  if (active > 0) return ok("API keys", `${active} active`);
  return problem("API keys", "no active key: issue one with petstore-server keys create --name NAME");
}
