import packageJson from "../package.json" with { type: "json" };

/**
 * The version of the server, which is that of the client and the command line. The API has its own.
 */
export const { version } = packageJson;
