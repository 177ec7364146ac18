import { childOfBoth, followBoth, type Both, type Node } from "./document.ts";
import { compareOthers, enter, type Comparison, type Place } from "./findings.ts";
import type { Operation } from "./operations.ts";
import { compareSchemas, type SchemaPlace } from "./schemas.ts";

/** Reports parameters that are gone, changed, or now required. */
export function compareParameters(comparison: Comparison, operation: string, operations: Both<Operation>): void {
  const { released, current } = { released: operations.released.parameters, current: operations.current.parameters };
  for (const [name, parameter] of released) {
    const where = `${operation}, ${name}`;
    const same = current.get(name);
    if (same === undefined) comparison.report({ where, what: "is gone" });
    else compareParameter(comparison, where, { released: parameter, current: same });
  }
  for (const [name, { required }] of current) {
    const isNew = !released.has(name);
    if (isNew && required === true) comparison.report({ where: `${operation}, ${name}`, what: "is new and required" });
  }
}

function compareParameter(comparison: Comparison, where: string, parameters: Both<Node>): void {
  const place = enter({ where, side: "request" } as const, parameters);
  compareRequired(comparison, place, parameters);
  compareSchemas(comparison, place, childOfBoth(parameters, "schema"));
  compareOthers(comparison, place, parameters, ["deprecated", "required", "schema"]);
}

/** Reports a request body that can no longer be sent, or must now be sent. */
export function compareRequestBodies(comparison: Comparison, operation: string, operations: Both<Node>): void {
  const references = childOfBoth(operations, "requestBody");
  const place = enter({ where: `${operation}, request body`, side: "request" } as const, references);
  const bodies = followBoth(comparison.documents, references);
  compareRequired(comparison, place, bodies);
  compareContents(comparison, place, bodies);
  compareOthers(comparison, place, bodies, ["content", "required"]);
}

function compareRequired({ report }: Comparison, place: Place, { released, current }: Both<Node>): void {
  if (current["required"] === true && released["required"] !== true) report({ ...place, what: "is now required" });
}

/** Reports what responses no longer bring, and what they did not bring before. */
export function compareResponses(comparison: Comparison, operation: string, operations: Both<Node>): void {
  const responses = childOfBoth(operations, "responses");
  for (const status of Object.keys({ ...responses.released, ...responses.current })) {
    const where = `${operation}, response ${status}`;
    const [was, is] = [status in responses.released, status in responses.current];
    if (was && is) compareResponse(comparison, where, childOfBoth(responses, status));
    else if (!/^[45]/.test(status)) comparison.report({ where, what: was ? "is gone" : "is new" });
  }
}

function compareResponse(comparison: Comparison, where: string, references: Both<Node>): void {
  const place = enter({ where, side: "response", path: "" } as const, references);
  const responses = followBoth(comparison.documents, references);
  compareContents(comparison, place, responses);
  const headers = childOfBoth(responses, "headers");
  for (const name of Object.keys(headers.released)) {
    const at = { ...place, path: ` header ${name}` };
    if (name in headers.current) compareHeader(comparison, at, childOfBoth(headers, name));
    else comparison.report({ ...at, what: "is gone" });
  }
  compareOthers(comparison, place, responses, ["content", "headers"]);
}

function compareHeader(comparison: Comparison, at: SchemaPlace, references: Both<Node>): void {
  const place = enter(at, references);
  const { released, current } = followBoth(comparison.documents, references);
  if (released["required"] === true && current["required"] !== true) {
    comparison.report({ ...place, what: "is no longer always there" });
  }
  compareSchemas(comparison, place, childOfBoth({ released, current }, "schema"));
  compareOthers(comparison, place, { released, current }, ["deprecated", "required", "schema"]);
}

function compareContents(comparison: Comparison, place: SchemaPlace, bodies: Both<Node>): void {
  const contents = childOfBoth(bodies, "content");
  for (const type of Object.keys({ ...contents.released, ...contents.current })) {
    const content = childOfBoth(contents, type);
    if (!(type in contents.current)) comparison.report({ ...place, what: `${type} is gone` });
    else if (type in contents.released) {
      compareSchemas(comparison, place, childOfBoth(content, "schema"));
      compareOthers(comparison, place, content, ["schema"]);
    } else if (place.side === "response") comparison.report({ ...place, what: `${type} is new` });
  }
}
