import { expect, test } from "vitest";
import { userDirectory } from "../../src/settings/directories.ts";

const roaming = String.raw`C:\Users\Ada Byron\AppData\Roaming`;
const local = String.raw`C:\Users\Ada Byron\AppData\Local`;
const windowsHome = String.raw`C:\Users\Ada Byron`;

test.for([
  ["linux", {}, "/home/ada/.config/petstore", "/home/ada/.local/state/petstore"],
  ["linux", { APPDATA: "/a", LOCALAPPDATA: "/l" }, "/home/ada/.config/petstore", "/home/ada/.local/state/petstore"],
  ["darwin", { XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s" }, "/c/petstore", "/s/petstore"],
  ["win32", { APPDATA: roaming, LOCALAPPDATA: local }, `${roaming}\\petstore`, `${local}\\petstore`],
  ["win32", {}, `${windowsHome}\\.config\\petstore`, `${windowsHome}\\.local\\state\\petstore`],
  [
    "win32",
    { APPDATA: roaming, XDG_CONFIG_HOME: "D:\\c", XDG_STATE_HOME: "D:/s" },
    "D:\\c\\petstore",
    "D:\\s\\petstore",
  ],
] as const)("the directories of a user on %s with %j", ([platform, environment, config, state]) => {
  const homeDirectory = platform === "win32" ? windowsHome : "/home/ada";
  const terminal = { platform, environment, homeDirectory };
  expect([userDirectory(terminal, "config"), userDirectory(terminal, "state")]).toEqual([config, state]);
});
