import type { Place } from "./page.ts";

/** Where the site will be, by the environment of the workflow that publishes it. On its own, it is at the root of any server. */
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
