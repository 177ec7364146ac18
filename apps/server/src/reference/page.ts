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

  /* Enough room to touch (WCAG 2.2 AA). */
  .scalar-app [data-sidebar-id] button { padding: 4px }

  /* The brand. Its colours have enough contrast for text (WCAG 2.2 AA). */
  .light-mode, .dark-mode {
    --scalar-background-1: var(--surface);
    --scalar-background-2: var(--canvas);
    --scalar-background-3: var(--sunken);
    --scalar-background-accent: var(--accent-soft);
    --scalar-border-color: var(--line);
    --scalar-color-1: var(--text);
    --scalar-color-2: var(--muted);
    --scalar-color-3: var(--muted);
    --scalar-color-accent: var(--accent);
    --scalar-color-blue: var(--focus);
    --scalar-color-green: var(--available);
    --scalar-color-orange: var(--accent);
    --scalar-color-purple: var(--sold);
    --scalar-color-red: var(--danger);
    --scalar-color-yellow: var(--pending);
    --scalar-button-1: var(--accent);
    --scalar-button-1-hover: var(--accent-hover);
    --scalar-button-1-color: var(--on-accent);
    --scalar-link-color: var(--accent);
    --scalar-radius: var(--radius-small);
    --scalar-radius-lg: var(--radius);
    --scalar-radius-xl: var(--radius-large);
    --scalar-font: var(--font);
    --scalar-font-code: var(--font-code);
  }
`;

/** Applies until the program brings its own styles, and to the header. Prevents a white flash in dark mode. */
const firstStyle = `
  :root {
    --scalar-custom-header-height: 3.5rem;
    color-scheme: light dark;
    background: var(--surface);
    color: var(--text);
    font-family: var(--font);
  }
  :root:has(> .light-mode) { color-scheme: light }
  :root:has(> .dark-mode) { color-scheme: dark }
  body { margin: 0 }
  #reference:not(:has(*)) { padding: 2rem }

  .brand {
    position: sticky;
    z-index: 20;
    top: 0;
    box-sizing: border-box;
    display: flex;
    align-items: center;
    gap: 1.5rem;
    height: var(--scalar-custom-header-height);
    padding: 0 1rem;
    border-bottom: 1px solid var(--line);
    background: var(--surface);
    font-size: 0.9375rem;
  }
  .brand :is(a, span) {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-height: 2.75rem;
    border-radius: var(--radius-small);
    color: var(--text);
    font-weight: 600;
    text-decoration: none;
  }
  .brand .to-board { margin-inline-start: auto; color: var(--accent); font-weight: 500 }
  .brand a:hover { color: var(--accent-hover) }
  .brand img { width: 1.75rem; height: 1.75rem }
`;

const rareLanguages = "c clojure dart fsharp http js julia kotlin objc ocaml powershell r swift".split(" ");

export interface PageOptions {
  /** Whether the page links to the board. */
  hasBoard: boolean;
  /** Whether the page takes the key of a link. */
  hasSignInLinks: boolean;
}

/** The nonce of the page's scripts, and its files, by name. */
interface PageParts extends PageOptions {
  nonce: string;
  program: string;
  logo: string;
  /** The style sheet that the board and the site use, too. */
  tokens: string;
}

/** The reference page. All its addresses are relative, so that it works behind a path prefix. */
export function page({ nonce, program, logo, tokens, hasBoard, hasSignInLinks }: PageParts): string {
  const document = `${basePath.slice(1)}/openapi.json`;
  const configuration = {
    url: document,
    // That of the page, also where the document names a public one: the page sends requests to no other.
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
    <link rel="icon" type="image/svg+xml" href="docs/${logo}">
    <style>${tokens}${firstStyle}</style>
  </head>
  <body>
    <script nonce="${nonce}">
      // The color mode that the reader chose earlier.
      const mode = localStorage.getItem("colorMode");
      if (mode === "light" || mode === "dark") document.body.classList.add(mode + "-mode");

      // The key of a link is in the fragment, which no server sees. It is removed from the address at once, and kept only for this
      // tab. The page then loads again: the browser keeps the address of a load where scripts can read it.
      const keyName = "petstore-api-key";
      function followLink() {
        if (!location.hash.startsWith("#key=")) return;
        const [, given] = /^#key=(pst_(?:live|test)_[0-9A-Za-z]{38})$/.exec(location.hash) ?? [];
        history.replaceState(null, "", location.pathname + location.search);
        if (given === undefined || !${hasSignInLinks}) return;
        sessionStorage.setItem(keyName, given);
        location.reload();
      }
      followLink();
      addEventListener("hashchange", followLink);
    </script>
    <header class="brand" data-scalar-scroll-header>
      <span><img src="docs/${logo}" alt="">Petstore API</span>
      ${hasBoard ? '<a class="to-board" href=".">Board</a>' : ""}
    </header>
    <noscript>
      <style>#reference { display: none }</style>
      This page needs JavaScript. The API is also described in <a href="${document}">openapi.json</a>.
    </noscript>
    <div id="reference">Loading the reference…</div>
    <script nonce="${nonce}" src="docs/${program}"></script>
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
