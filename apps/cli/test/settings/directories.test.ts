import { expect, test } from "vitest";
import { userDirectory } from "../../src/settings/directories.ts";

const roaming = String.raw`C:\Users\Ada Byron\AppData\Roaming`;
const local = String.raw`C:\Users\Ada Byron\AppData\Local`;
const windowsHome = String.raw`C:\Users\Ada Byron`;

test.for([
  [
    "linux",
    {},
    "/home/ada/.config/petstore",
    "/home/ada/.local/state/petstore",
    "/home/ada/.cache/petstore",
  ],
  [
    "linux",
    { APPDATA: "/a", LOCALAPPDATA: "/l" },
    "/home/ada/.config/petstore",
    "/home/ada/.local/state/petstore",
    "/home/ada/.cache/petstore",
  ],
  [
    "darwin",
    { XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s", XDG_CACHE_HOME: "/x" },
    "/c/petstore",
    "/s/petstore",
    "/x/petstore",
  ],
  [
    "win32",
    { APPDATA: roaming, LOCALAPPDATA: local },
    `${roaming}\\petstore`,
    `${local}\\petstore`,
    `${local}\\petstore`,
  ],
  [
    "win32",
    {},
    `${windowsHome}\\.config\\petstore`,
    `${windowsHome}\\.local\\state\\petstore`,
    `${windowsHome}\\.cache\\petstore`,
  ],
  [
    "win32",
    { APPDATA: roaming, XDG_CONFIG_HOME: "D:\\c", XDG_STATE_HOME: "D:/s", XDG_CACHE_HOME: "D:/x" },
    "D:\\c\\petstore",
    "D:\\s\\petstore",
    "D:\\x\\petstore",
  ],
] as const)(
  "the directories of a user on %s with %j",
  ([platform, environment, config, state, cache]) => {
    const homeDirectory = platform === "win32" ? windowsHome : "/home/ada";
    const terminal = { platform, environment, homeDirectory };
    const kinds = ["config", "state", "cache"] as const;
    expect(kinds.map((kind) => userDirectory(terminal, kind))).toEqual([config, state, cache]);
  },
);
