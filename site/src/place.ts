/** Where the site will be. */
export interface Place {
  /** The path that every address of the site begins with, without a `/` at its end. */
  base: string;
  /** The repository on the web. Without it, links to files that are not pages become text. */
  repository: string | undefined;
}

/** Reads the place from the environment of the workflow that publishes the site. Without one, it is the root of a server. */
export function placeIn(
  environment: Readonly<Record<string, string | undefined>>,
): Place & { origin: string | undefined } {
  const { SITE_URL: url, GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = environment;
  const { origin, pathname } = url ? new URL(url) : { origin: undefined, pathname: "/" };
  return {
    origin,
    base: pathname.replace(/\/$/, ""),
    repository: server && repository ? `${server}/${repository}` : undefined,
  };
}
