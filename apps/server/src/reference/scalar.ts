/** A browser file of the package. It is not exported, so this starts from an exported file next to its directory. */
export function scalarFile(name: string): URL {
  return new URL(`browser/${name}`, import.meta.resolve("@scalar/api-reference/style.css"));
}
