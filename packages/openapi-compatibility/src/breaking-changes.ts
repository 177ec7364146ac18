import { children, type Versions, type Node } from "./document.ts";
import { compareOthers, toLines, type Comparison, type Finding } from "./findings.ts";
import { compareResponses, compareParameters, compareRequestBodies } from "./messages.ts";
import { noSecurity, operationsOf, type Operation } from "./operations.ts";

/**
 * The changes that break programs written for the released document, one line each. A change of unknown effect counts as breaking.
 *
 * Experimental operations may change. Lists of values are closed: a new value in a response is breaking, because generated code may
 * reject it. A new error status is not breaking: clients must expect any.
 */
export function breakingChanges(released: Node, current: Node): string[] {
  const findings: Finding[] = [];
  const comparison: Comparison = {
    documents: { released, current },
    report: (finding) => void findings.push(finding),
  };
  const addresses = children(current, "servers").map(({ url }) => url);
  for (const { url } of children(released, "servers")) {
    if (!addresses.includes(url)) comparison.report({ where: "servers", change: `${String(url)} was removed` });
  }
  const operations = operationsOf(current);
  for (const [name, operation] of operationsOf(released)) {
    if (operation.node["x-stability"] === "experimental") continue;
    const same = operations.get(name);
    if (same === undefined) comparison.report({ where: name, change: "was removed" });
    else compareOperations(comparison, name, { released: operation, current: same });
  }
  return toLines(findings);
}

function compareOperations(comparison: Comparison, where: string, operations: Versions<Operation>): void {
  const { released, current } = operations;
  const isAccepted = (requirement: string): boolean =>
    current.security.includes(requirement) || current.security.includes(noSecurity);
  if (!released.security.every(isAccepted)) comparison.report({ where, change: "authentication changed" });

  const [sunset, newSunset] = [released.node["x-sunset"], current.node["x-sunset"]];
  if (typeof sunset === "string" && typeof newSunset === "string" && newSunset < sunset) {
    comparison.report({ where, change: `will be removed earlier: x-sunset was ${sunset}, is ${newSunset}` });
  }
  compareParameters(comparison, where, operations);
  const nodes = { released: released.node, current: current.node };
  compareRequestBodies(comparison, where, nodes);
  compareResponses(comparison, where, nodes);
  const compared = ["deprecated", "parameters", "requestBody", "responses", "security", "tags", "x-sunset"];
  compareOthers(comparison, { where }, nodes, compared);
}
