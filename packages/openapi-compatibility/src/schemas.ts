import { childVersions, followVersions, isSame, type Versions, type Node } from "./document.ts";
import { compareOthers, difference, enter, type Comparison, type Place } from "./findings.ts";

export interface SchemaPlace extends Place {
  /** Request schemas may become wider, response schemas narrower. */
  side: "request" | "response";
  /** The references that were followed to this place. */
  references?: readonly string[];
}

const lowerBounds = ["exclusiveMinimum", "minItems", "minLength", "minProperties", "minimum"];
const upperBounds = ["exclusiveMaximum", "maxItems", "maxLength", "maxProperties", "maximum"];

/** Keywords that may be removed but not changed, because it is unknown whether the new value is wider. */
const restrictions = ["additionalProperties", "items", "multipleOf", "pattern", "uniqueItems"];

const bounds = [...lowerBounds, ...upperBounds, ...restrictions];
const compared = [...bounds, "const", "default", "deprecated", "enum", "properties", "required", "type"];

/** Reports values that requests may no longer contain, and new values in responses. */
export function compareSchemas(comparison: Comparison, place: SchemaPlace, schemas: Versions<Node>): void {
  const names = [schemas.released["$ref"], schemas.current["$ref"]];
  const reference = JSON.stringify(names);
  // A recursive schema is compared only once.
  if (place.references?.includes(reference)) return;

  const isReference = names.some((name) => name !== undefined);
  const references = [...(place.references ?? []), ...(isReference ? [reference] : [])];
  const here = { ...enter(place, schemas), references };
  const nodes = followVersions(comparison.documents, schemas);
  compareValues(comparison, here, nodes);
  compareProperties(comparison, here, nodes);
  if (hasItems(nodes.released) && hasItems(nodes.current)) {
    compareSchemas(comparison, { ...here, path: `${here.path ?? ""}[]` }, childVersions(nodes, "items"));
  }
  compareOthers(comparison, here, nodes, compared);
}

function compareValues({ documents, report }: Comparison, place: SchemaPlace, nodes: Versions<Node>): void {
  const isRequest = place.side === "request";
  // `after` must allow every value of `before`: requests stay valid, and responses contain only known values.
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
  for (const keyword of changed) report({ ...place, change: difference(nodes, keyword) });

  const [values, allowed] = [valuesOf(before), valuesOf(after)];
  if (allowed === undefined) return;
  if (values === undefined)
    report({ ...place, change: isRequest ? "now accepts only listed values" : "may now be any value" });
  for (const value of values?.filter((each) => !allowed.includes(each)) ?? []) {
    report({ ...place, change: isRequest ? `no longer accepts ${value}` : `may now be ${value}` });
  }
}

function compareProperties(comparison: Comparison, place: SchemaPlace, nodes: Versions<Node>): void {
  const { released, current } = childVersions(nodes, "properties");
  const at = (name: string): SchemaPlace => ({ ...place, path: `${place.path ?? ""}.${name}` });
  const report = (name: string, change: string): void => comparison.report({ ...at(name), change });

  const isRemoved = (name: string): boolean => name in released && !(name in current);
  for (const name of Object.keys(released)) {
    if (isRemoved(name)) report(name, "was removed");
    else compareSchemas(comparison, at(name), childVersions({ released, current }, name));
  }

  const required = { released: namesIn(nodes.released["required"]), current: namesIn(nodes.current["required"]) };
  if (place.side === "request") {
    const names = required.current.filter((name) => !required.released.includes(name));
    for (const name of names) report(name, "is now required");
  } else {
    const names = required.released.filter((name) => !required.current.includes(name) && !isRemoved(name));
    for (const name of names) report(name, "is no longer always present");
  }

  // Programs ignore unknown properties, unless additionalProperties describes these.
  if (place.side === "response" && nodes.released["additionalProperties"] !== undefined) {
    const names = Object.keys(current).filter((name) => !(name in released));
    for (const name of names) report(name, "is new, but additionalProperties already describes other properties");
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
