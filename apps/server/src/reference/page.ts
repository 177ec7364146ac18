import { basePath } from "@petstore/contract";

/**
 * The page loads from and sends to this server only, and runs only scripts with the nonce of this response. Inline styles are
 * allowed, because the program writes them. They cannot load anything.
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

const style = `
  /* On a narrow screen this button would cover the address. */
  @media (width < 1000px) { .scalar-client .scalar-sidebar-toggle { display: none } }

  /* The form for a body would round 64-bit numbers. As text they are sent unchanged. */
  .scalar-client [aria-label="Generate example from schema"] + div { display: none }

  /* Wraps long lines, so that none is cut off. */
  .scalar-app .scalar-code-block :is(pre, pre *), .scalar-client [aria-label="Response"] .cm-content {
    width: auto;
    flex-shrink: 1;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  /* The whole menu of samples, with our own at its top: it opens at the chosen one. */
  .scalar-app .max-h-80:has(> [id^="scalar-combobox-items"]) { max-height: min(42rem, 75vh) }

  /* A menu gets the focus while it moves to its place, from the top of the page: the browser would scroll there. */
  .scalar-app > .z-context { transition: none !important }

  /* A link to a part of the page moves the focus there: a frame around the whole part would only be two long lines. */
  .scalar-app [tabindex="-1"][id*="/"]:focus-visible { outline: none }

  /* Enough contrast for text, and enough room to touch (WCAG 2.2 AA). */
  .light-mode {
    --scalar-color-2: #666;
    --scalar-color-3: #6b6b6b;
    --scalar-color-blue: #0068a8;
    --scalar-color-green: #00744a;
    --scalar-color-orange: #b04a00;
    --scalar-color-red: #b80000;
    --scalar-color-yellow: #7a5c00;
  }
  .dark-mode { --scalar-color-3: #999; --scalar-color-red: #ff5c5c }
  .scalar-app [data-sidebar-id] button { padding: 4px }
`;

/** Applies until the program brings its own styles. Prevents a white flash in dark mode. */
const firstStyle = `
  :root { color-scheme: light dark; background: light-dark(#fff, #0f0f0f); color: light-dark(#1b1b1b, #e7e7e7) }
  :root:has(> .light-mode) { color-scheme: light }
  :root:has(> .dark-mode) { color-scheme: dark }
  #reference:not(:has(*)) { padding: 2rem; font-family: system-ui, sans-serif }
`;

const rareLanguages = "c clojure dart fsharp http js julia kotlin objc ocaml powershell r swift".split(" ");

/** The nonce of the page's scripts, and the names of its files. */
interface PageParts {
  nonce: string;
  script: string;
  icon: string;
}

/** The reference page. All its addresses are relative, so that it works behind a path prefix. */
export function page({ nonce, script, icon }: PageParts): string {
  const document = `${basePath.slice(1)}/openapi.json`;
  const configuration = {
    url: document,
    // No requests to other servers.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: "never",
    hideClientButton: true,
    documentDownloadType: "json",
    orderSchemaPropertiesBy: "preserve",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    // A menu that fits its box, with our own client and command line at the top.
    hiddenClients: {
      ...Object.fromEntries(rareLanguages.map((language) => [language, true])),
      csharp: ["restsharp"],
      java: ["asynchttp", "nethttp", "unirest"],
      node: ["axios", "fetch", "ofetch"],
      php: ["curl", "laravel"],
      python: ["aiohttp", "httpx_sync", "httpx_async"],
      shell: ["httpie", "wget"],
    },
    customCss: style,
  };
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Petstore API reference</title>
    <meta name="color-scheme" content="light dark">
    <link rel="icon" type="image/svg+xml" href="docs/${icon}">
    <style>${firstStyle}</style>
  </head>
  <body>
    <script nonce="${nonce}">
      // The color mode that the reader chose earlier.
      const mode = localStorage.getItem("colorMode");
      if (mode === "light" || mode === "dark") document.body.classList.add(mode + "-mode");

      // The key of a link is in the fragment, which no server sees. It is removed from the address at once, and kept only for this
      // tab. Anyone can send a link: its key must not replace that of the board, or of an earlier link, unseen.
      const keyName = "petstore-api-key";
      const [, given] = /^#key=(pst_(?:live|test)_[0-9A-Za-z]{38})$/.exec(location.hash) ?? [];
      if (location.hash.startsWith("#key=")) history.replaceState(null, "", location.pathname + location.search);
      if (given !== undefined) {
        const used = sessionStorage.getItem(keyName) ?? localStorage.getItem(keyName) ?? given;
        const [before, after] = [used, given].map((key) => "…" + key.slice(-4));
        const question = "This link has another key. Use it?\\n\\nYou use the key " + before + ". The link has the key " + after + ".";
        if (used === given || confirm(question)) sessionStorage.setItem(keyName, given);
      }
      addEventListener("hashchange", () => location.hash.startsWith("#key=") && location.reload());
    </script>
    <noscript>
      <style>#reference { display: none }</style>
      This page needs JavaScript. The API is also described in <a href="${document}">openapi.json</a>.
    </noscript>
    <div id="reference">Loading the reference…</div>
    <script nonce="${nonce}" src="docs/${script}"></script>
    <script nonce="${nonce}">
      async function fetchHere(...request) {
        const response = await fetch(...request).catch(() => {
          throw new Error("The server does not respond. Is it still running?");
        });
        // On a narrow screen the response is below the request.
        document.querySelector('[role="dialog"] [aria-label="Response"]')?.scrollIntoView();
        return response;
      }
      const reference = document.querySelector("#reference");
      if (typeof Scalar === "undefined") {
        reference.innerHTML = 'The reference did not load. The API is also described in <a href="${document}">openapi.json</a>.';
      } else {
        reference.replaceChildren();
        Scalar.createApiReference(reference, {
          ...${JSON.stringify(configuration)},
          authentication: {
            preferredSecurityScheme: "apiKey",
            securitySchemes: { apiKey: { token: sessionStorage.getItem(keyName) ?? "" } },
          },
          baseServerURL: new URL(".", location).href.slice(0, -1), // without the slash
          customFetch: fetchHere,
        });
      }
    </script>
  </body>
</html>
`;
}
