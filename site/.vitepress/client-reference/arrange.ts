import {
  type DeclarationReflection,
  IntersectionType,
  IntrinsicType,
  LiteralType,
  type ProjectReflection,
  ReferenceType,
  type Reflection,
  ReflectionGroup,
  ReflectionKind,
  type SomeType,
  TupleType,
  TypeOperatorType,
  UnionType,
} from "typedoc";
import { clientReference } from "../contents.ts";
import { completeComment } from "./comments.ts";

/** Topics of a page, in this order, and the files below packages/ whose exports belong to them. */
const topics: Readonly<Record<string, readonly string[]>> = {
  Client: ["client/src/client.ts"],
  Fake: ["client/src/testing.ts"],
  Faults: ["client/src/testing-faults.ts"],
  Options: ["client/src/options.ts"],
  Results: ["client/src/exchange.ts", "client/src/page-list.ts"],
  Errors: ["client/src/errors.ts", "contract/src/errors.ts", "contract/src/error-codes.ts"],
  Events: ["client/src/events.ts"],
  Animals: [
    "client/src/pet.ts",
    "client/src/batch.ts",
    "contract/src/pet.ts",
    "contract/src/batch.ts",
  ],
  Orders: ["contract/src/order.ts"],
  "64-bit integers": ["contract/src/int64.ts"],
  "Limits and values": [
    "contract/src/fields.ts",
    "contract/src/rules.ts",
    "contract/src/metadata.ts",
  ],
};

/**
 * Arranges what TypeDoc read for people who look something up: by topic, and without repetitions.
 */
export function arrange(project: ProjectReflection, exported: ReadonlySet<Reflection>): void {
  for (const choice of choicesOf(project)) nameChoice(project, choice, exported);
  for (const [index, module] of (project.children ?? []).entries()) {
    module.name = clientReference[index]?.page.replace(/^.*\/|\.md$/g, "") ?? "";
    for (const child of module.children ?? [])
      if (child.kindOf(ReflectionKind.Interface)) listOperations(child);
    module.groups = byTopic(project, module);
  }
  for (const reflection of Object.values(project.reflections))
    if (reflection.kindOf([ReflectionKind.Property, ReflectionKind.Method]))
      omitRepetition(project, reflection as DeclarationReflection);
  for (const reflection of Object.values(project.reflections)) {
    const isPart = reflection.parent?.kindOf(ReflectionKind.Module) && !exported.has(reflection);
    if (reflection.comment) completeComment(project, reflection.comment, isPart);
    if (reflection.kindOf([ReflectionKind.Class, ReflectionKind.Interface])) {
      // Members without a heading for each kind. The theme knows this title.
      const { children = [] } = reflection as DeclarationReflection;
      (reflection as DeclarationReflection).groups = [groupOf("none", reflection, children)];
    }
  }
}

function groupOf(
  title: string,
  owner: Reflection,
  children: DeclarationReflection[],
): ReflectionGroup {
  const group = new ReflectionGroup(title, owner);
  group.children = children;
  return group;
}

function byTopic(project: ProjectReflection, module: DeclarationReflection): ReflectionGroup[] {
  const topicOf = (child: DeclarationReflection): string => {
    const file =
      project.getSymbolIdFromReflection(child)?.fileName?.replace(/^.*\/packages\//, "") ?? "?";
    const topic = Object.entries(topics).find(([, files]) => files.includes(file))?.[0];
    if (topic === undefined)
      throw new Error(`name a topic for the exports of ${file}, such as ${child.name}`);
    return topic;
  };
  const byName = Object.groupBy(module.children ?? [], topicOf);
  return Object.keys(topics).flatMap((topic) => {
    const children = byName[topic];
    return children === undefined ? [] : [groupOf(topic, module, children)];
  });
}

/**
 * Operations in an object of the client, such as `experimental`, stand with the others, under their
 * whole name.
 */
function listOperations(owner: DeclarationReflection): void {
  if (owner.children === undefined) return;
  owner.children = owner.children.flatMap((member) => {
    const operations =
      member.type?.type === "reflection" ? member.type.declaration.children : undefined;
    if (operations === undefined) return [member];
    for (const operation of operations) {
      operation.name = `${member.name}.${operation.name}`;
      operation.parent = owner;
      for (const signature of operation.signatures ?? []) signature.name = operation.name;
    }
    return operations;
  });
}

/**
 * A class of errors refers to the class above for what it inherits. What options inherit is shown
 * with each.
 */
function omitRepetition(project: ProjectReflection, member: DeclarationReflection): void {
  const isOfClass = member.parent?.kindOf(ReflectionKind.Class);
  if (isOfClass && (member.inheritedFrom || member.name === "name"))
    project.removeReflection(member);
  for (const reflection of [member, ...(member.signatures ?? [])]) {
    delete reflection.inheritedFrom;
    delete reflection.overwrites;
  }
}

/** A type such as `(typeof petStatuses)[number]`. */
interface Choice {
  alias: DeclarationReflection;
  list: DeclarationReflection;
  values: LiteralType[];
}

function choicesOf(project: ProjectReflection): Choice[] {
  const exports = project.children?.flatMap(({ children = [] }) => children) ?? [];
  return exports.flatMap((alias) => {
    if (alias.type?.type !== "indexedAccess" || alias.type.objectType.type !== "query") return [];
    const list = alias.type.objectType.queryType.reflection as DeclarationReflection | undefined;
    const type = list?.type instanceof TypeOperatorType ? list.type.target : list?.type;
    if (list === undefined || !(type instanceof TupleType)) return [];
    return [{ alias, list, values: type.elements.filter((each) => each instanceof LiteralType) }];
  });
}

/** The type shows its values. Wherever TypeScript replaced it by them, its name stands again. */
function nameChoice(
  project: ProjectReflection,
  { alias, list, values }: Choice,
  exported: ReadonlySet<Reflection>,
): void {
  const texts = new Set(values.map(String));
  const name = ReferenceType.createResolvedReference(alias.name, alias, project);
  for (const reflection of Object.values(project.reflections) as { type?: SomeType }[]) {
    const { type } = reflection;
    if (!(type instanceof UnionType)) continue;
    const others = type.types.filter((each) => !texts.has(String(each)));
    if (others.length + texts.size !== type.types.length) continue;
    reflection.type = others.length === 0 ? name : new UnionType([name, ...others.map(toText)]);
  }
  alias.type = new UnionType(values);
  if (!exported.has(list)) project.removeReflection(list);
}

/** `string & {}`, which keeps the suggestions of editors, is any text. */
function toText(type: SomeType): SomeType {
  return type instanceof IntersectionType && String(type.types[0]) === "string"
    ? new IntrinsicType("string")
    : type;
}
