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

/** Without an active key, the service cannot be used. */
export function diagnoseKeys(active: number): Finding {
  if (active > 0) return ok("API keys", `${active} active`);
  return problem("API keys", "no active key: issue one with petstore-server keys create --name NAME");
}
