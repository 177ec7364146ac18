import { onTestFinished, describe, expect, test, vi } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { json, scriptedClient, type ScriptedOptions } from "./scripted-client.ts";

const own = `petstore-client/${packageJson.version}`;
const appInfo = { name: "shop", version: "1.2.0-beta+7" };

async function sentUserAgent(options: ScriptedOptions): Promise<string | null | undefined> {
  const { client, requests } = scriptedClient(json(200, []), options);
  await client.listPets();
  return requests[0]?.headers.get("User-Agent");
}

describe("the User-Agent", () => {
  test("names the client and its version", async () => {
    expect(await sentUserAgent({})).toBe(own);
  });

  test("begins with the program of appInfo", async () => {
    expect(await sentUserAgent({ appInfo })).toBe(`shop/1.2.0-beta+7 ${own}`);
  });

  test.each(["User-Agent", "user-agent"])("of the option headers wins, written %s", async (name) => {
    expect(await sentUserAgent({ appInfo, headers: { [name]: "mine" } })).toBe("mine");
  });

  test("of the headers of one call wins", async () => {
    const { client, requests } = scriptedClient(json(200, []), { appInfo });
    await client.listPets({}, { headers: { "User-Agent": "mine" } });
    expect(requests[0]?.headers.get("User-Agent")).toBe("mine");
  });

  test.each([
    ["a browser", { userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }, null],
    ["Cloudflare Workers", { userAgent: "Cloudflare-Workers" }, own],
    ["React Native", {}, own],
    ["Node 20", undefined, own],
  ])("is that of %s where it must not be set, and set elsewhere", async (_runtime, navigator, sent) => {
    onTestFinished(() => void vi.unstubAllGlobals());
    vi.stubGlobal("navigator", navigator);
    expect(await sentUserAgent({})).toBe(sent);
  });
});
