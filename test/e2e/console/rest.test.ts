import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasChromium } from "../../support/browser/chromium.ts";
import { useConsoleBrowser } from "../../support/browser/console-browser.ts";
import { made, receiverUrl } from "../../support/stack/own-resources.ts";
import { ask, createOrganization, keyOf, type Organization } from "../../support/stack/stack-client.ts";

/** A page that took it as markup would ask for it, or write to the console. */
const hostile = `<img src=x onerror="console.error('markup')"> "'{{7*7}}`;

describe.skipIf(!hasChromium)("the console's pages of settings", () => {
  const { open, review } = useConsoleBrowser();

  it("makes a pool, puts a machine into it, edits and deletes it", async () => {
    const organization = await createOrganization();
    await createMachine(organization, hostile);
    const page = await open({ key: keyOf(organization, "full"), path: "/console/pools" });
    await button(page, "New pool").first().click();
    await page.getByLabel("Name").fill(hostile);
    await page.getByLabel("Inputs", { exact: true }).fill("{");
    await button(page, "Create").click();
    await page.getByText("Inputs must be JSON.").waitFor();
    await page.getByLabel("Inputs", { exact: true }).fill('{"currency": "EUR"}');
    await button(page, "Create").click();
    await page.getByRole("heading", { level: 1, name: hostile }).waitFor();
    await page.getByLabel("Machine", { exact: true }).selectOption({ label: hostile });
    await button(page, "Add to the pool").click();
    await page.getByRole("rowheader", { name: hostile }).waitFor();
    await review(page, "pool");
    await button(page, "Edit").click();
    await page.getByLabel("Description").fill("Desks at the front");
    // Somebody else is faster.
    const pool = `/v1/pools/${page.url().split("/").at(-1)}`;
    const theirs = { description: "Theirs", pool_parameters: { currency: "USD" } };
    await ask(pool, { key: keyOf(organization, "full"), method: "PATCH", body: theirs });
    await button(page, "Save").click();
    const alert = page.getByRole("alert").filter({ hasText: "Somebody else has saved meanwhile" });
    await alert.getByRole("insertion").getByText("Theirs").waitFor();
    await alert.getByRole("insertion").getByText("USD").waitFor();
    await review(page, "pool-changed-meanwhile");
    await button(page, "Save mine all the same").click();
    await page.getByRole("definition").getByText("Desks at the front").waitFor();
    await page.getByRole("definition").getByText("USD").waitFor();
    await page.getByRole("link", { name: "Pools", exact: true }).first().click();
    await page.getByRole("link", { name: hostile }).waitFor();
    await review(page, "pools");
    await page.getByRole("link", { name: hostile }).click();
    await button(page, "Delete").click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("There is no pool yet").waitFor();
  });

  it("makes a schedule, shows its next times, runs it now and switches it off", async () => {
    const organization = await createOrganization();
    const key = keyOf(organization, "full");
    await ask("/v1/workflows", { key, body: { name: hostile, main_prompt: "a", executor: "worker" } });
    const page = await open({ key, path: "/console/schedules" });
    await button(page, "New schedule").first().click();
    await page.getByLabel("Workflow (required)").selectOption({ label: hostile });
    await fill(
      page,
      { Name: hostile, Cron: "0 6 * * *", "Time zone (required)": "Europe/Nowhere" },
      "Create",
    );
    await page.getByText("there is no time zone Europe/Nowhere").waitFor();
    await fill(page, { "Time zone (required)": "Europe/Lisbon" }, "Create");
    await page.getByRole("heading", { level: 1, name: hostile }).waitFor();
    await expect.poll(() => page.locator("dd time").count()).toBeGreaterThanOrEqual(5);
    await review(page, "schedule");
    await button(page, "Switch off").click();
    await page.getByRole("definition").getByText("off", { exact: true }).waitFor();
    await button(page, "Edit").click();
    await page.getByRole("dialog").getByLabel("Cron").fill("");
    await fill(page, { "Or every so many minutes": "30" }, "Save");
    await page.getByText("every 30 minutes").waitFor();
    await page.getByRole("link", { name: "Schedules", exact: true }).first().click();
    await page.getByRole("link", { name: hostile }).waitFor();
    await review(page, "schedules");
    await page.getByRole("link", { name: hostile }).click();
    await button(page, "Run now").click();
    await page.waitForURL(/\/console\/runs\//);
  });

  it("makes tags, keys, endpoints and model configurations, and shows each secret once", async () => {
    const organization = await createOrganization();
    const page = await open({ key: keyOf(organization, "full"), path: "/console/tags" });
    await button(page, "New group").click();
    await fill(page, { Name: "Team" });
    await button(page, "New tag").click();
    await page.getByRole("dialog").getByLabel("Group").selectOption("Team");
    await fill(page, { Name: hostile, Color: "#1f7a8c" });
    await page.getByRole("rowheader", { name: hostile }).waitFor();
    await review(page, "tags");

    await go(page, "Provider keys");
    const anthropic = page.getByRole("region", { name: "Anthropic" });
    await anthropic.getByRole("button", { name: "Set a key" }).click();
    await fill(page, { "API key": "a-key-of-twenty-characters" }, "Store");
    await anthropic.getByText("not yet tried").waitFor();
    await review(page, "provider-keys");

    await go(page, "Models");
    await button(page, "New configuration").click();
    await page.getByRole("dialog").getByLabel("Provider (required)").selectOption("anthropic");
    await fill(page, { Name: "Careful", "Model ": "claude-sonnet-4-5" });
    await page.getByRole("rowheader", { name: "Careful" }).waitFor();
    await review(page, "models");

    await go(page, "Webhooks");
    await button(page, "New endpoint").click();
    await page.getByLabel("run.complete").check();
    await fill(page, { Address: "https://hooks.example.com/runs" });
    await page.getByText(/^whsec_/).waitFor();
    await button(page, "Done").click();
    await page.getByRole("link", { name: "https://hooks.example.com/runs" }).click();
    await page.getByText("Nothing was sent to it yet").waitFor();
    await review(page, "webhook");

    await go(page, "API keys");
    await button(page, "New key").click();
    await page.getByLabel("driver").check();
    await fill(page, { Name: "Desk 7" }, "Create");
    const text = await page.getByText(/^das_/).innerText();
    expect((await ask("/v1/caller", { key: text })).body.scopes).toEqual(["read", "driver"]);
    await button(page, "Done").click();
    await page.getByRole("rowheader", { name: "Desk 7" }).waitFor();
    await review(page, "api-keys");
    expect(await page.content()).not.toContain(text);

    await go(page, "Audit");
    await page.getByText("createWorkflowTagGroup").waitFor();
    await page.getByLabel("Resource", { exact: true }).selectOption("webhook_endpoint");
    await page.getByText("createWorkflowTagGroup").waitFor({ state: "detached" });
    expect(page.url()).toContain("resource_type=webhook_endpoint");
    await review(page, "audit");
    await go(page, "Usage");
    await page.getByText("0 ended runs").waitFor();
    await review(page, "usage");
    await go(page, "Request log");
    await page.getByText("No call fits.").waitFor();
    await review(page, "request-log");
  });

  it("shows what was sent to an endpoint, and sends it again", async () => {
    const organization = await createOrganization();
    const key = keyOf(organization, "full");
    const endpoint = { url: await receiverUrl(), event_types: ["machine.created"] };
    const id = await made(key, "/v1/webhook-endpoints", endpoint);
    await createMachine(organization, hostile);
    const page = await open({ key, path: `/console/webhooks/${id}` });
    await page.getByText("delivered", { exact: true }).waitFor();
    await page.getByText("1 (200").or(page.getByText("1 (204")).click();
    await button(page, "Send again").click();
    await page.getByText("It is sent again.").waitFor();
    await review(page, "webhook-deliveries");
  });

  it("has no button for somebody who may only read, and no page of keys", async () => {
    const organization = await createOrganization();
    const page = await open({ key: keyOf(organization, "read"), path: "/console/tags" });
    for (const section of ["Pools", "Tags", "Provider keys", "Models", "Webhooks"]) {
      await go(page, section);
      await expect.poll(() => page.locator("main .loading").count()).toBe(0);
      expect(await page.locator("main button:not(.small)").count(), section).toBe(0);
    }
    expect(await page.getByRole("link", { name: "API keys" }).count()).toBe(0);
  });
});

function button(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true });
}

async function go(page: Page, section: string): Promise<void> {
  await page
    .getByRole("navigation", { name: "Sections" })
    .getByRole("link", { name: section, exact: true })
    .click();
  await page.getByRole("heading", { level: 1, name: section, exact: true }).waitFor();
}

/** Fills in the open dialog, and sends it. */
async function fill(page: Page, texts: Readonly<Record<string, string>>, verb = "Save"): Promise<void> {
  const dialog = page.getByRole("dialog");
  for (const [label, text] of Object.entries(texts)) await dialog.getByLabel(label).first().fill(text);
  await dialog.getByRole("button", { name: verb, exact: true }).click();
}

async function createMachine(organization: Organization, name: string): Promise<void> {
  const body = { fingerprint: crypto.randomUUID(), name };
  expect((await ask("/v1/machines", { key: keyOf(organization, "full"), body })).status).toBe(201);
}
