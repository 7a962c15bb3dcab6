import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasChromium } from "../../support/browser/chromium.ts";
import { useConsoleBrowser } from "../../support/browser/console-browser.ts";
import { ask, createOrganization, keyOf } from "../../support/stack/stack-client.ts";

/** Wherever it were taken as markup, there would be an element, a request and an error in the browser's console. */
const markup = `"'><img data-hit src=x onerror="console.error('hit')"><script>console.error("hit")</script>{{7*7}}`;

/** @returns the addresses that links of the part of the page lead to. */
async function addressesIn(page: Page, part: string): Promise<readonly string[]> {
  const links = await page.locator(`${part} a[href^="/console/"]`).all();
  const all = await Promise.all(links.map(async (link) => (await link.getAttribute("href")) ?? ""));
  return [...new Set(all)];
}

describe.skipIf(!hasChromium)("every section of the console", () => {
  const { open } = useConsoleBrowser();

  it("shows people's words as text, and asks for nothing that a viewer may not read", async () => {
    const organization = await createOrganization();
    const key = keyOf(organization, "full");
    const make = async (path: string, body: object): Promise<string> => {
      const made = await ask<{ id: string }>(path, { key, body });
      expect(made.status, path).toBe(201);
      return made.body.id;
    };
    const name = markup;
    const machine_id = await make("/v1/machines", {
      fingerprint: crypto.randomUUID(),
      name,
      hostname: name,
      os_info: name,
      machine_parameters: { site: name },
    });
    await make("/v1/pools", { name, description: name, pool_parameters: { site: name } });
    const group_id = await make("/v1/workflow-tag-groups", { name });
    const tag_id = await make("/v1/workflow-tags", { name, group_id });
    const workflow_id = await make("/v1/workflows", {
      name,
      main_prompt: `${name} {customer}`,
      input_schema: {
        type: "object",
        properties: { customer: { type: "string", title: name, description: name } },
      },
      executor: "worker",
    });
    await ask(`/v1/workflows/${workflow_id}/tags`, { key, body: { tag_ids: [tag_id] } });
    await make("/v1/runs", {
      workflow_id,
      machine_id,
      input_values: { customer: name },
      session_alias: "one",
    });
    await make("/v1/schedules", { workflow_id, name, every_minutes: 60, input_values: { customer: name } });
    await make("/v1/api-keys", { name, scopes: ["read"] });

    const page = await open({ key: keyOf(organization, "read") });
    const refused: string[] = [];
    page.on("response", (response) => {
      if ([401, 403].includes(response.status())) refused.push(`${response.status()} ${response.url()}`);
    });
    const visited: string[] = [];
    const visit = async (address: string): Promise<void> => {
      visited.push(address);
      await page.goto(address);
      await page.locator("h1").waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.locator("[data-hit]").count(), address).toBe(0);
      expect(await page.getByText("There is no such page").count(), address).toBe(0);
    };
    for (const section of await addressesIn(page, "nav")) {
      await visit(section);
      const [item] = (await addressesIn(page, "main")).filter((address) => address.startsWith(`${section}/`));
      if (item !== undefined) await visit(item);
    }
    expect(visited.length).toBeGreaterThan(8);
    expect(refused).toEqual([]);
  });
});
