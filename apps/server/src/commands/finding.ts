/** What was found about one thing, and what to do where something is wrong. */
export interface Finding {
  level: "ok" | "warning" | "problem";
  check: string;
  message: string;
}

/** Without a key nobody can call the service. */
export function diagnoseKeys(active: number): Finding {
  if (active > 0) return { level: "ok", check: "API keys", message: `${active} active` };
  const message = "none is active: issue one with petstore-server keys create --name NAME";
  return { level: "problem", check: "API keys", message };
}
