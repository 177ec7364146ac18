import { basePath } from "@petstore/contract";

/**
 * Nothing comes from elsewhere, nothing goes elsewhere, and only the scripts with the nonce of this one answer run. Styles may stand
 * anywhere, as the program writes them: they can load nothing.
 */
export function contentSecurityPolicy(nonce: string): string {
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
  ].join("; ");
}

/** The reference page. All its addresses are relative, so that it holds behind a path prefix. */
export function page(nonce: string, apiKey: string | undefined): string {
  const document = `${basePath.slice(1)}/openapi.json`;
  const configuration = {
    url: document,
    // Nothing is fetched from elsewhere, and nothing told to it.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: "never",
    hideClientButton: true,
    documentDownloadType: "json",
    orderSchemaPropertiesBy: "preserve",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    // On a narrow screen this button would lie over the address.
    customCss: "@media (width < 1000px) { .scalar-client .scalar-sidebar-toggle { display: none } }",
    authentication: {
      preferredSecurityScheme: "apiKey",
      ...(apiKey !== undefined && { securitySchemes: { apiKey: { token: apiKey } } }),
    },
  };
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Petstore API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>This page needs JavaScript. The interface is also in <a href="${document}">openapi.json</a>.</noscript>
    <div id="reference"></div>
    <script nonce="${nonce}" src="docs/scalar.js"></script>
    <script nonce="${nonce}">
      async function fetchHere(...request) {
        const answer = await fetch(...request).catch(() => {
          throw new Error("The server does not answer. Is it still running?");
        });
        // On a narrow screen the answer stands below the request.
        document.querySelector('[role="dialog"] [aria-label="Response"]')?.scrollIntoView();
        return answer;
      }
      Scalar.createApiReference("#reference", { ...${JSON.stringify(configuration)}, customFetch: fetchHere });
    </script>
  </body>
</html>
`;
}
