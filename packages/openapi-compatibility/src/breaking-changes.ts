import { children, type Both, type Node } from "./document.ts";
import { compareOthers, toLines, type Comparison, type Finding } from "./findings.ts";
import { compareResponses, compareParameters, compareRequestBodies } from "./messages.ts";
import { anybody, operationsOf, type Operation } from "./operations.ts";

/**
 * What breaks programs that were written for the released document, one line for each change. What nobody can tell is breaking.
 *
 * Experimental operations are free to change. Lists of values are closed: a new error code is breaking, since generated code may
 * reject it. A new error status is not: whoever calls a service expects any.
 */
export function breakingChanges(released: Node, current: Node): string[] {
  const findings: Finding[] = [];
  const comparison: Comparison = {
    documents: { released, current },
    report: (finding) => void findings.push(finding),
  };
  const addresses = children(current, "servers").map(({ url }) => url);
  for (const { url } of children(released, "servers")) {
    if (!addresses.includes(url)) comparison.report({ where: "servers", what: `${String(url)} is gone` });
  }
  const operations = operationsOf(current);
  for (const [name, operation] of operationsOf(released)) {
    if (operation.node["x-stability"] === "experimental") continue;
    const same = operations.get(name);
    if (same === undefined) comparison.report({ where: name, what: "is gone" });
    else compareOperations(comparison, name, { released: operation, current: same });
  }
  return toLines(findings);
}

function compareOperations(comparison: Comparison, where: string, operations: Both<Operation>): void {
  const { released, current } = operations;
  const isOpen = (need: string): boolean => current.security.includes(need) || current.security.includes(anybody);
  if (!released.security.every(isOpen)) comparison.report({ where, what: "what authenticates a request has changed" });

  const [sunset, newSunset] = [released.node["x-sunset"], current.node["x-sunset"]];
  if (typeof sunset === "string" && typeof newSunset === "string" && newSunset < sunset) {
    comparison.report({ where, what: `ends earlier: x-sunset was ${sunset}, is ${newSunset}` });
  }
  compareParameters(comparison, where, operations);
  const nodes = { released: released.node, current: current.node };
  compareRequestBodies(comparison, where, nodes);
  compareResponses(comparison, where, nodes);
  const compared = ["deprecated", "parameters", "requestBody", "responses", "security", "tags", "x-sunset"];
  compareOthers(comparison, { where }, nodes, compared);
}
