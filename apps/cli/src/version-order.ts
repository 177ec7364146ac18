/** The parts of a version, in the order of precedence. */
type Parts = readonly (number | string)[];

const version = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

/** Whether users of a version should get a later one. A prerelease is only for users of prereleases. Compares as semver.org, section 11. */
export function isUpdate(latest: string, current: string): boolean {
  const [left, right] = [parse(latest), parse(current)];
  if (left === undefined || right === undefined || (isPrerelease(left) && !isPrerelease(right))) return false;
  const index = left.findIndex((part, at) => part !== right[at]);
  const [part, other] = [left[index], right[index]];
  if (part === undefined || other === undefined) return part !== undefined;
  // Numbers precede text.
  return typeof part === typeof other ? part > other : typeof part === "string";
}

/** A release ends with a part that follows every name of a prerelease. */
const release = "~";

function parse(text: string): Parts | undefined {
  const [, major, minor, patch, prerelease = release] = version.exec(text) ?? [];
  if (major === undefined) return undefined;
  const parts = prerelease.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return [Number(major), Number(minor), Number(patch), ...parts];
}

function isPrerelease(parts: Parts): boolean {
  return parts[3] !== release;
}
