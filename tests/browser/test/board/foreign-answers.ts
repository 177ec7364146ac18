import type { Outcome } from "@petstore/test-servers/proxy";

const html = { "Content-Type": "text/html" };
const json = { "Content-Type": "application/json" };

/**
 * What something between the board and the service answers in its place, by name. None is in the
 * form of the service.
 */
export const foreignAnswers: readonly (readonly [name: string, answer: Outcome])[] = [
  [
    "302 to a sign-in page elsewhere",
    { status: 302, headers: { Location: "https://sign-in.example/" }, body: "" },
  ],
  ["302 to a sign-in page here", { status: 302, headers: { Location: "/oauth2/start" }, body: "" }],
  ["401 of a proxy", { status: 401, headers: html, body: "<h1>Authorization Required</h1>" }],
  ["403 of a filter", { status: 403, headers: html, body: "<h1>Blocked</h1>" }],
  [
    "403 in JSON with a code of its own",
    { status: 403, headers: json, body: '{"code":"denied","message":"No"}' },
  ],
  ["404 in HTML", { status: 404, headers: html, body: "<h1>Not Found</h1>" }],
  ["413 in HTML", { status: 413, headers: html, body: "<h1>Request Entity Too Large</h1>" }],
  ["451 in HTML", { status: 451, headers: html, body: "<h1>Unavailable For Legal Reasons</h1>" }],
  ["500 in HTML", { status: 500, headers: html, body: "<h1>Internal Server Error</h1>" }],
  [
    "511 of a network",
    { status: 511, headers: html, body: "<h1>Network Authentication Required</h1>" },
  ],
  ["200 in HTML", { status: 200, headers: html, body: "<h1>Wi-Fi</h1>" }],
  [
    "200 in HTML with a request id",
    { status: 200, headers: { ...html, "X-Request-Id": "a-1" }, body: "<h1>Wi-Fi</h1>" },
  ],
  ["200 with {}", { status: 200, headers: json, body: "{}" }],
  ["204", { status: 204, headers: {}, body: "" }],
];
