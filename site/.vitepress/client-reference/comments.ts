import {
  type Comment,
  type CommentDisplayPart,
  CommentTag,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
} from "typedoc";

/**
 * Writes what the theme would omit or spread over headings. @param isPart whether it has no export
 * of its own
 */
export function completeComment(
  project: ProjectReflection,
  comment: Comment,
  isPart = false,
): void {
  showDefault(comment);
  showErrors(project, comment);
  for (const part of [...comment.summary, ...comment.blockTags.flatMap(({ content }) => content)])
    mendLink(part);
  if (isPart)
    comment.summary.push({
      kind: "text",
      text: "\n\n*Not exported: it is part of the types that refer to it.*",
    });
}

/** The default, in one line. */
function showDefault(comment: Comment): void {
  const tag = comment.getTag("@default");
  if (tag === undefined) return;
  comment.removeTags("@default");
  const text = tag.typeAnnotation ?? tag.content.map((part) => part.text).join("");
  const value: CommentDisplayPart[] = /^["[{\d]/.test(text) ? [code(text.trim())] : tag.content;
  comment.summary.push({ kind: "text", text: "\n\nDefault: " }, ...value);
}

/** All errors as one list, with their classes. */
function showErrors(project: ProjectReflection, comment: Comment): void {
  const exports = project.children?.flatMap(({ children = [] }) => children) ?? [];
  const errors = comment
    .getTags("@throws")
    .flatMap(({ typeAnnotation = "", content }): CommentDisplayPart[] => {
      const name = typeAnnotation.slice(1, -1);
      const target = exports.find((each) => each.name === name);
      const error: CommentDisplayPart =
        target === undefined
          ? code(name)
          : { kind: "inline-tag", tag: "@link", text: name, target };
      return [{ kind: "text", text: "\n- " }, error, { kind: "text", text: " " }, ...content];
    });
  if (errors.length === 0) return;
  comment.removeTags("@throws");
  comment.blockTags.push(new CommentTag("@throws", errors));
}

function code(text: string): CommentDisplayPart {
  return { kind: "code", text: `\`${text}\`` };
}

/** The field of a type that has no heading of its own leads to the type. */
function mendLink(part: CommentDisplayPart): void {
  if (part.kind !== "inline-tag" || typeof part.target !== "object" || !("parent" in part.target))
    return;
  for (
    let target: Reflection | undefined = part.target;
    target !== undefined;
    target = target.parent
  )
    if (
      target.isDeclaration() &&
      target.kindOf(ReflectionKind.TypeAlias) &&
      target.type?.type === "intersection"
    )
      part.target = target;
}
