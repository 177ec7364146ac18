import { basePath } from "@petstore/contract";

/**
 * The page loads from and sends to this server only, and runs only scripts with the nonce of this
 * response. Inline styles are allowed, because the program writes them. They cannot load anything.
 */
export function contentSecurityPolicy(nonce: string): string[] {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
}

const style = `
  /* What the page says until its program has loaded. */
  #reference + p { display: none }
  /* The form for a body would round 64-bit numbers. As text they are sent unchanged. */
  .scalar-client [aria-label="Generate example from schema"] + div { display: none }
  /* On a narrow screen this button would cover the address. */
  @media (width < 1000px) { .scalar-client .scalar-sidebar-toggle { display: none } }
  /* A link to a part of the page moves the focus there: a frame around the whole part would look like a fault. */
  .scalar-app [tabindex="-1"][id*="/"]:focus-visible { outline: none }
`;

/** The nonce of the page's scripts, the name of its program, and its icon, in SVG. */
interface PageParts {
  nonce: string;
  program: string;
  logo: string;
}

/** The reference page. All its addresses are relative, so that it works behind a path prefix. */
export function page({ nonce, program, logo }: PageParts): string {
  const document = `${basePath.slice(1)}/openapi.json`;
  const configuration = {
    url: document,
    // That of the page, also where the document names a public one: the page sends requests to no
    // other.
    servers: [{ url: basePath }],
    // No requests to other servers.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: "never",
    hideClientButton: true,
    documentDownloadType: "json",
    orderSchemaPropertiesBy: "preserve",
    // The samples of the document are for our client, our command, curl and Python. The page's own
    // lack the key of a retry.
    hiddenClients: true,
    customCss: style,
  };
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Petstore API reference</title>
    <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(logo)}">
  </head>
  <body>
    <div id="reference"></div>
    <p>Loading, which needs JavaScript. The API is also described in <a href="${document}">openapi.json</a>.</p>
    <script nonce="${nonce}" src="docs/${program}"></script>
    <script nonce="${nonce}">
      Scalar.createApiReference("#reference", {
        ...${JSON.stringify(configuration)},
        baseServerURL: new URL(".", location).href.slice(0, -1), // without the slash
      });
    </script>
  </body>
</html>
`;
}
