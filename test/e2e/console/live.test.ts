import { describe, expect, it } from "vitest";
import { hasChromium } from "../../support/browser/chromium.ts";
import { useConsoleBrowser } from "../../support/browser/console-browser.ts";
import { ask, createOrganization, keyOf } from "../../support/stack/stack-client.ts";

describe.skipIf(!hasChromium)("a page of the console that is live", () => {
  const { open } = useConsoleBrowser();

  it("shows what has changed by the service's hint, and after its socket was lost what it has missed", async () => {
    const organization = await createOrganization();
    const key = keyOf(organization, "full");
    const body = { fingerprint: crypto.randomUUID(), name: "before" };
    const machine = await ask<{ id: string }>("/v1/machines", { key, body });
    const rename = async (name: string) => {
      const renamed = await ask(`/v1/machines/${machine.body.id}`, { method: "PATCH", key, body: { name } });
      expect(renamed.status).toBe(200);
    };
    const page = await open({ key: keyOf(organization, "read"), path: "/console/machines" });
    // While it is live it asks for nothing by itself.
    await page.getByText("live", { exact: true }).waitFor();
    await rename("while live");
    await page.getByText("while live", { exact: true }).first().waitFor();

    const sockets: { close: () => Promise<void> }[] = [];
    await page.routeWebSocket(/./, (socket) => {
      const server = socket.connectToServer();
      sockets.push({ close: async () => await Promise.all([socket.close(), server.close()]).then(() => {}) });
    });
    await page.reload();
    await page.getByText("live", { exact: true }).waitFor();
    await sockets[0]?.close();
    await page.getByText("every 5 s", { exact: true }).waitFor();
    await rename("while away");
    await page.getByText("while away", { exact: true }).first().waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    expect(sockets.length).toBeGreaterThan(1);
  });
});
