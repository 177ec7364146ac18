import { childVersions, followVersions, type Versions, type Node } from "./document.ts";
import { compareOthers, enter, type Comparison, type Place } from "./findings.ts";
import type { Operation } from "./operations.ts";
import { compareSchemas, type SchemaPlace } from "./schemas.ts";

/** Reports parameters that were removed, changed or made required. */
export function compareParameters(comparison: Comparison, operation: string, operations: Versions<Operation>): void {
  const { released, current } = { released: operations.released.parameters, current: operations.current.parameters };
  for (const [name, parameter] of released) {
    const where = `${operation}, ${name}`;
    const same = current.get(name);
    if (same === undefined) comparison.report({ where, change: "was removed" });
    else compareParameter(comparison, where, { released: parameter, current: same });
  }
  for (const [name, { required }] of current) {
    const isNew = !released.has(name);
    if (isNew && required === true)
      comparison.report({ where: `${operation}, ${name}`, change: "is new and required" });
  }
}

function compareParameter(comparison: Comparison, where: string, parameters: Versions<Node>): void {
  const place = enter({ where, side: "request" } as const, parameters);
  compareRequired(comparison, place, parameters);
  compareSchemas(comparison, place, childVersions(parameters, "schema"));
  compareOthers(comparison, place, parameters, ["deprecated", "required", "schema"]);
}

/** Reports request bodies that are no longer accepted, or are now required. */
export function compareRequestBodies(comparison: Comparison, operation: string, operations: Versions<Node>): void {
  const references = childVersions(operations, "requestBody");
  const place = enter({ where: `${operation}, request body`, side: "request" } as const, references);
  const bodies = followVersions(comparison.documents, references);
  compareRequired(comparison, place, bodies);
  compareContents(comparison, place, bodies);
  compareOthers(comparison, place, bodies, ["content", "required"]);
}

function compareRequired({ report }: Comparison, place: Place, { released, current }: Versions<Node>): void {
  if (current["required"] === true && released["required"] !== true) report({ ...place, change: "is now required" });
}

/** Reports parts of responses that were removed, and new parts that clients cannot handle. */
export function compareResponses(comparison: Comparison, operation: string, operations: Versions<Node>): void {
  const responses = childVersions(operations, "responses");
  for (const status of Object.keys({ ...responses.released, ...responses.current })) {
    const where = `${operation}, response ${status}`;
    const [was, is] = [status in responses.released, status in responses.current];
    if (was && is) compareResponse(comparison, where, childVersions(responses, status));
    else if (!/^[45]/.test(status)) comparison.report({ where, change: was ? "was removed" : "is new" });
  }
}

function compareResponse(comparison: Comparison, where: string, references: Versions<Node>): void {
  const place = enter({ where, side: "response", path: "" } as const, references);
  const responses = followVersions(comparison.documents, references);
  compareContents(comparison, place, responses);
  const headers = childVersions(responses, "headers");
  for (const name of Object.keys(headers.released)) {
    const at = { ...place, path: ` header ${name}` };
    if (name in headers.current) compareHeader(comparison, at, childVersions(headers, name));
    else comparison.report({ ...at, change: "was removed" });
  }
  compareOthers(comparison, place, responses, ["content", "headers"]);
}

function compareHeader(comparison: Comparison, at: SchemaPlace, references: Versions<Node>): void {
  const place = enter(at, references);
  const { released, current } = followVersions(comparison.documents, references);
  if (released["required"] === true && current["required"] !== true) {
    comparison.report({ ...place, change: "is no longer always present" });
  }
  compareSchemas(comparison, place, childVersions({ released, current }, "schema"));
  compareOthers(comparison, place, { released, current }, ["deprecated", "required", "schema"]);
}

function compareContents(comparison: Comparison, place: SchemaPlace, bodies: Versions<Node>): void {
  const contents = childVersions(bodies, "content");
  for (const type of Object.keys({ ...contents.released, ...contents.current })) {
    const content = childVersions(contents, type);
    if (!(type in contents.current)) comparison.report({ ...place, change: `${type} was removed` });
    else if (type in contents.released) {
      compareSchemas(comparison, place, childVersions(content, "schema"));
      compareOthers(comparison, place, content, ["schema"]);
    } else if (place.side === "response") comparison.report({ ...place, change: `${type} is new` });
  }
}
