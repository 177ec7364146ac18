import { createKey, serve, temporaryDirectory } from "@petstore/test-servers/processes";
import { startProxy, type Outcome, type ProxiedRequest } from "@petstore/test-servers/proxy";
import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectShown, visit } from "../visitor.ts";
import { signIn } from "./add-form.ts";
import { isPatch, keysOf } from "./board.ts";

const moments: Record<string, (request: ProxiedRequest, kill: () => Promise<void>) => Promise<Outcome>> = {
  async before(_, kill) {
    await kill();
    return "cut";
  },
  async during(request, kill) {
    const response = request.forward().catch(() => undefined);
    await kill();
    await response;
    return "cut";
  },
  async after(request, kill) {
    await request.forward();
    await kill();
    return "cut";
  },
};

test.each(Object.entries(moments))(
  "200 once although the server is killed %s the commit, and starts again",
  async (_, strike) => {
    using directory = temporaryDirectory();
    const apiKey = await createKey(directory.path);
    await using server = await serve(directory.path);
    const { status } = await server.call(apiKey, "/pets", '{"name":"Bella","categoryId":1,"status":"available"}');
    expect(status).toBe(201);
    await using proxy = await startProxy(Number(new URL(server.url).port));
    await using visitor = await visit(`${proxy.origin}/`, { hasClock: true });
    visitor.expectFailures(/^net::ERR_/);
    const { page } = visitor;
    await signIn(page, apiKey);
    await expectShown(page.getByRole("button", { name: "Reserve: Bella" }));

    let isAlive = true;
    async function kill(): Promise<void> {
      isAlive = false;
      server.kill("SIGKILL");
      await server.ended;
    }
    proxy.treat = async (request) => {
      if (isPatch(request) && isAlive) return strike(request, kill);
      return isAlive ? request.forward() : "cut";
    };
    await page.getByRole("button", { name: "Reserve: Bella" }).click();
    await expectShown(page.getByRole("button", { name: "1 not saved" }));
    await using again = await serve(directory.path);
    proxy.target = Number(new URL(again.url).port);
    proxy.treat = (request) => request.forward();
    await expectShownInTime(page.getByText("Bella is now Reserved."));
    expect(keysOf({ proxy }, isPatch)).toHaveLength(1);
    expect((await again.call(apiKey, "/pets/1")).text).toContain('"status":"pending"');
  },
);
