import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { basePath, openApiText } from "@petstore/contract";
import type { CategoryNames } from "@petstore/contract/categories";
import { jsonType } from "@petstore/service";
import type { Express, RequestHandler } from "express";
import { respondToMethods, sendEmpty, sendJson } from "../http/respond.ts";
import {
  isReadable,
  once,
  sendAsset,
  sendCompressed,
  toContent,
  type Asset,
} from "../web-pages/assets.ts";
import { readBoardFile, readHelp, sendBoard, sendFresh } from "../web-pages/board.ts";
import { readReferenceFile, sendReference } from "../web-pages/reference.ts";
import { stateOf } from "./request.ts";

export interface WebPagesOptions {
  /**
   * Whether browsers get the board at `/`, and its help. Otherwise they are redirected to the
   * reference page.
   */
  hasBoard: boolean;
  /** The address of the service in the OpenAPI document; by default `/v1`. */
  documentedUrl?: string | undefined;
  /** What the board calls itself. */
  boardName: string;
  /** What the board calls the categories. */
  categoryNames: CategoryNames;
  /** Whether a link with a key in its fragment signs in on the board. Anyone can send a link. */
  hasSignInLinks: boolean;
}

/**
 * Everything that needs no API key: the board, its help, the reference page, their files, and the
 * OpenAPI document.
 */
export function mountWebPages(app: Express, options: WebPagesOptions): void {
  const { hasBoard, boardName, categoryNames, documentedUrl, hasSignInLinks } = options;
  const settings = { name: boardName, categoryNames: [...categoryNames], hasSignInLinks };
  const sendPage = hasBoard ? sendBoard(settings) : redirectTo("docs", 302);
  // Built and compressed at the first request.
  const readOpenApi = once(async () =>
    toContent(await promisify(gzip)(openApiText(documentedUrl))),
  );
  const pages: Record<string, RequestHandler> = {
    // A page for browsers, and a list of addresses for other clients.
    "/": (req, res, next) => {
      res.vary("Accept");
      const isForBrowser =
        isReadable(req.headers.accept) && req.accepts(["json", "html"]) === "html";
      return (isForBrowser ? sendPage : sendAddresses)(req, res, next);
    },
    [`${basePath}/openapi.json`]: async (req, res) =>
      sendCompressed(req, res, jsonType, await readOpenApi()),
    "/docs": sendReference,
    "/docs/": redirectTo("../docs", 301), // the page's relative addresses would be wrong here
  };
  for (const [path, send] of Object.entries(pages)) {
    app.all(path, async (req, res, next) => {
      stateOf(res).route = path;
      await respond(req, res, next, send);
    });
  }
  if (hasBoard) {
    mountHelp(app);
    mountFiles(app, "/assets", readBoardFile);
  }
  mountFiles(app, "/docs", readReferenceFile);
}

/**
 * Serves the help in each language. The address chooses it, and no header: the board links to the
 * one of its language.
 */
function mountHelp(app: Express): void {
  app.all("/help{.:language}", async (req, res, next) => {
    const { language } = req.params;
    const page = await readHelp(language);
    if (page === undefined) return next();
    stateOf(res).route = language === undefined ? "/help" : "/help.{language}";
    await respond(req, res, next, () => sendFresh(res, page));
  });
}

/** Serves the files of a directory, as one route. */
function mountFiles(
  app: Express,
  path: string,
  readFile: (name: string) => Promise<Asset | undefined>,
): void {
  app.all(`${path}/:file`, async (req, res, next) => {
    const asset = await readFile(req.params.file);
    if (asset === undefined) return next();
    stateOf(res).route = `${path}/{file}`;
    await respond(req, res, next, () => sendAsset(req, res, asset));
  });
}

/** Calls `send` for GET and HEAD. */
const respond = async (
  ...[req, res, next, send]: [...Parameters<RequestHandler>, send: RequestHandler]
) => {
  if (req.method === "GET" || req.method === "HEAD") await send(req, res, next);
  else respondToMethods(res, "GET, HEAD, OPTIONS");
};

/** Relative to the request. */
const sendAddresses: RequestHandler = (_req, res) => {
  const base = basePath.slice(1);
  sendJson(res, { name: "Petstore", base, openapi: `${base}/openapi.json`, docs: "docs" });
};

function redirectTo(location: string, status: number): RequestHandler {
  return (_req, res) => {
    res.setHeader("Location", location);
    sendEmpty(res, status);
  };
}
