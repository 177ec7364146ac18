import { globSync } from "node:fs";
import { parse } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { eventually } from "@petstore/test-kit/eventually";
import { describe, expect } from "vitest";
import {
  boardFiles,
  boardPage,
  helpPages,
  settingsOf,
  withoutSettings,
} from "../support/board-files.ts";
import { browser, expectHead, get, open } from "../support/browser.ts";
import { expectError } from "../support/expect-response.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer } from "../support/start-server.ts";

const test = testWithServer();

describe("/", () => {
  test("200 for a browser with the page, whatever the query, which it keeps only for going back, and headers that forbid other code and embedding", async ({
    server,
  }) => {
    const { status, headers, content } = await open(new URL("/?status=<script>&pet=5", server.url));
    expect(status).toBe(200);
    expect(withoutSettings(content)).toBe(boardPage.toString());
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-length": String(content.length),
      // browsers do not go back to a page with no-store without a request
      "cache-control": "no-cache",
      vary: "Accept",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers.get("Content-Security-Policy")?.split("; ").toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self'",
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
      "trusted-types 'none'",
    ]);
    await expectHead(server, "/");
  });

  test("200 with the settings of the board as data, with any characters", async ({ server }) => {
    const { content } = await open(new URL("/", server.url));
    expect(settingsOf(content)).toEqual({
      name: "Petstore",
      categoryNames: [],
      hasSignInLinks: false,
    });
    const names = [
      ["2", `Dogs & "cats" <script>alert(1)</script>'`],
      ["1", "$&"],
    ] as const;
    const name = 'Paws & <b>"$&"</b> \'';
    const options = { boardName: name, categoryNames: new Map(names), hasSignInLinks: true };
    await using other = await startServer(options);
    const { content: otherContent } = await open(new URL("/", other.url));
    expect(settingsOf(otherContent)).toEqual({
      name,
      categoryNames: names.map(([id, text]) => [id, [text]]),
      hasSignInLinks: true,
    });
    const title = "<title>Paws &#38; &#60;b&#62;&#34;$&#38;&#34;&#60;/b&#62; '</title>";
    const page = boardPage.toString().replace("<title>Petstore</title>", () => title);
    expect(withoutSettings(otherContent)).toBe(page);
  });

  test.for(["Accept: */*", "Accept: application/json, text/html;q=0.9", "Colour: red"])(
    "200 with the addresses of everything served, relative to its own, for %s",
    async (accept, { server }) => {
      const { status, headers, body } = await get(server, "/", accept);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "content-type": "application/json; charset=utf-8",
        vary: "Accept",
        "cache-control": "no-store",
      });
      const addresses = { base: "v1", openapi: "v1/openapi.json", docs: "docs" };
      expect(JSON.parse(body)).toEqual({ name: "Petstore", ...addresses });
      for (const address of [addresses.openapi, addresses.docs])
        expect((await fetch(new URL(`../${address}`, server.url))).status).toBe(200);
    },
  );
});

describe("the help", () => {
  test.for([
    ["/help", "/help", "en"],
    ["/help.de", "/help.{language}", "de"],
  ] as const)(
    "200 for every client of %s with the page, the headers of the board and the route %s",
    async (entry, { server }) => {
      const [target, route, language] = entry;
      const [board, help] = [
        await open(new URL("/", server.url)),
        await open(new URL(target, server.url)),
      ];
      const built = helpPages.get(target);
      expect(built?.toString()).toContain(`<html lang="${language}" `);
      expect([help.status, help.content.equals(built ?? Buffer.of())]).toEqual([200, true]);
      const { vary, ...headers } = Object.fromEntries(board.headers);
      expect(vary).toBe("Accept"); // only of the board
      expect(Object.fromEntries(help.headers)).toEqual({
        ...headers,
        "content-length": String(built?.length),
        date: expect.any(String),
        "x-request-id": expect.any(String),
      });
      for (const header of ["Accept: application/json", "Accept-Language: fr, de, en"])
        expect(await get(server, target, header)).toMatchObject({
          status: 200,
          body: built?.toString("latin1"),
        });
      await expectHead(server, target);
      await eventually(() => server.logs.length >= 6);
      expect(new Set(server.logs.map((line) => line["route"]))).toEqual(new Set(["/", route]));
    },
  );

  test("200 for the help of every language of the board", async ({ server }) => {
    const languages = globSync("apps/web/src/language/words/*.ts", { cwd: root }).map(
      (file) => parse(file).name,
    );
    const targets = languages.map((language) =>
      language === "en" ? "/help" : `/help.${language}`,
    );
    expect([...helpPages.keys()].toSorted()).toEqual(targets.toSorted());
    for (const target of targets) expect(await get(server, target)).toMatchObject({ status: 200 });
  });
});

describe("the files of the board", () => {
  test("200 for each with its built content, which browsers keep, and one route for all", async ({
    server,
  }) => {
    expect(boardFiles.size).toBeGreaterThanOrEqual(3);
    for (const [target, built] of boardFiles) {
      const { status, headers, content } = await open(new URL(target, server.url));
      expect([target, status, content.equals(built)]).toEqual([target, 200, true]);
      expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Content-Type")).toMatch(
        /^(?:text\/(?:javascript|css); charset=utf-8|image\/svg\+xml)$/,
      );
      await expectHead(server, target);
    }
    await eventually(() => server.logs.length >= 3 * boardFiles.size);
    expect(new Set(server.logs.map(({ route }) => route))).toEqual(new Set(["/assets/{file}"]));
  });
});

test("all addresses in the page lead to files of the board, also below the path of a proxy", () => {
  const addresses = [...boardPage.toString().matchAll(/ (?:src|href)="([^"]+)"/g)].map(
    ([, address = ""]) => address,
  );
  expect(addresses.length).toBeGreaterThanOrEqual(3);
  for (const path of ["/", "/shelter/"]) {
    const targets = addresses.map(
      (address) => new URL(address, `http://a${path}?status=sold`).pathname,
    );
    expect(targets.filter((target) => !boardFiles.has(target.slice(path.length - 1)))).toEqual([]);
  }
});

test("302 without the board to the reference for a browser, which has no link to it, and 404 for the help and the files of the board", async () => {
  await using server = await startServer({ hasBoard: false });
  const response = await get(server, "/", browser);
  expect(response).toMatchObject({
    status: 302,
    headers: { location: "docs", vary: "Accept" },
    body: "",
  });
  expect(await get(server, "/", "Accept: */*")).toMatchObject({
    status: 200,
    body: /^\{"name":"Petstore",/,
  });
  for (const target of [...helpPages.keys(), ...boardFiles.keys()])
    expectError(await get(server, target, browser), "route_not_found");
  expect((await get(server, "/docs", browser)).body).not.toContain(">Board</a>");
});
