import { childOfBoth, followBoth, isSame, type Both, type Node } from "./document.ts";
import { compareOthers, difference, enter, type Comparison, type Place } from "./findings.ts";

export interface SchemaPlace extends Place {
  /** A request may take more than it did; a response may bring less than it did. */
  side: "request" | "response";
  /** The references that have led here. */
  references?: readonly string[];
}

const lowerBounds = ["exclusiveMinimum", "minItems", "minLength", "minProperties", "minimum"];
const upperBounds = ["exclusiveMaximum", "maxItems", "maxLength", "maxProperties", "maximum"];

/** What may be taken away but not change, since nobody can tell whether another one allows more. */
const restrictions = ["additionalProperties", "items", "multipleOf", "pattern", "uniqueItems"];

const bounds = [...lowerBounds, ...upperBounds, ...restrictions];
const compared = [...bounds, "const", "default", "deprecated", "enum", "properties", "required", "type"];

/** Reports what a request no longer takes, and what a response could not bring before. */
export function compareSchemas(comparison: Comparison, place: SchemaPlace, schemas: Both<Node>): void {
  const names = [schemas.released["$ref"], schemas.current["$ref"]];
  const reference = JSON.stringify(names);
  // A schema that contains itself is compared where it was met first.
  if (place.references?.includes(reference)) return;

  const isReference = names.some((name) => name !== undefined);
  const references = [...(place.references ?? []), ...(isReference ? [reference] : [])];
  const here = { ...enter(place, schemas), references };
  const nodes = followBoth(comparison.documents, schemas);
  compareValues(comparison, here, nodes);
  compareProperties(comparison, here, nodes);
  if (hasItems(nodes.released) && hasItems(nodes.current)) {
    compareSchemas(comparison, { ...here, path: `${here.path ?? ""}[]` }, childOfBoth(nodes, "items"));
  }
  compareOthers(comparison, here, nodes, compared);
}

function compareValues({ documents, report }: Comparison, place: SchemaPlace, nodes: Both<Node>): void {
  const isRequest = place.side === "request";
  // Whatever `before` allows, `after` must allow too: what was sent is still taken, what a response brings was known before.
  const [before, after] = isRequest ? [nodes.released, nodes.current] : [nodes.current, nodes.released];
  const isNarrower = (keyword: string): boolean => {
    if (after[keyword] === undefined) return false;
    if (lowerBounds.includes(keyword)) return !(Number(before[keyword]) >= Number(after[keyword]));
    if (upperBounds.includes(keyword)) return !(Number(before[keyword]) <= Number(after[keyword]));
    if (keyword === "items" && hasItems(before)) return false;
    return !isSame(documents, nodes, keyword);
  };
  const changed = bounds.filter(isNarrower);
  if (!typesOf(before).every((type) => typesOf(after).includes(type))) changed.push("type");
  if (isRequest && !isSame(documents, nodes, "default")) changed.push("default");
  for (const keyword of changed) report({ ...place, what: difference(nodes, keyword) });

  const [values, allowed] = [valuesOf(before), valuesOf(after)];
  if (allowed === undefined) return;
  if (values === undefined) report({ ...place, what: isRequest ? "takes listed values only" : "may now be any value" });
  for (const value of values?.filter((each) => !allowed.includes(each)) ?? []) {
    report({ ...place, what: isRequest ? `no longer takes ${value}` : `may now be ${value}` });
  }
}

function compareProperties(comparison: Comparison, place: SchemaPlace, nodes: Both<Node>): void {
  const { released, current } = childOfBoth(nodes, "properties");
  const at = (name: string): SchemaPlace => ({ ...place, path: `${place.path ?? ""}.${name}` });
  const report = (name: string, what: string): void => comparison.report({ ...at(name), what });

  const isGone = (name: string): boolean => name in released && !(name in current);
  for (const name of Object.keys(released)) {
    if (isGone(name)) report(name, "is gone");
    else compareSchemas(comparison, at(name), childOfBoth({ released, current }, name));
  }

  const required = { released: namesIn(nodes.released["required"]), current: namesIn(nodes.current["required"]) };
  if (place.side === "request") {
    const names = required.current.filter((name) => !required.released.includes(name));
    for (const name of names) report(name, "is now required");
  } else {
    const names = required.released.filter((name) => !required.current.includes(name) && !isGone(name));
    for (const name of names) report(name, "is no longer always there");
  }

  // A program ignores properties that it does not know, unless it was told what they are like.
  if (place.side === "response" && nodes.released["additionalProperties"] !== undefined) {
    const names = Object.keys(current).filter((name) => !(name in released));
    for (const name of names) report(name, "is new where additionalProperties says what may come");
  }
}

function hasItems({ items }: Node): boolean {
  return items !== undefined;
}

function typesOf({ type }: Node): unknown[] {
  const types = type === undefined ? ["array", "boolean", "null", "number", "object", "string"] : [type].flat();
  return types.includes("number") ? [...types, "integer"] : types;
}

/** The values of a closed list, as JSON. */
function valuesOf(schema: Node): string[] | undefined {
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined;
}

function namesIn(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : [];
}
